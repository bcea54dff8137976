// Hover values, keys, highlighting, panes and the theme. Without it the page still shows every chart.
"use strict";
{
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const tip = document.getElementById("tip");

  // Theme: the system's until the reader chooses.
  const root = document.documentElement;
  const toggle = document.getElementById("theme");
  const stored = (value) => {
    try {
      if (value) localStorage.setItem("plimsoll-theme", value);
      return localStorage.getItem("plimsoll-theme");
    } catch {
      return null; // files opened from disk may have no storage
    }
  };
  const isDark = () => (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const showTheme = (theme) => {
    if (theme) root.dataset.theme = theme;
    toggle.textContent = isDark() ? "Light" : "Dark";
    toggle.setAttribute("aria-label", `Use the ${isDark() ? "light" : "dark"} theme`);
  };
  showTheme(stored());
  toggle.hidden = false;
  toggle.addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    stored(theme);
    showTheme(theme);
  });

  // Panes: one is shown, the one whose key the lists say.
  for (const chooser of all(".chooser")) {
    const lists = all("select", chooser);
    const show = () => {
      const key = lists.map((list) => list.value).join("|");
      for (const pane of all(".pane", chooser)) pane.hidden = pane.dataset.key !== key;
    };
    for (const list of lists) list.addEventListener("change", show);
    show();
  }

  // Highlighting: chosen variants stand out in every chart; hovering a legend shows what choosing it would do.
  const chosen = new Set();
  const highlight = (hovered) => {
    const bright = hovered === undefined ? chosen : new Set([...chosen, hovered]);
    for (const part of all("[data-v]")) {
      const isBright = bright.has(part.dataset.v);
      if (part.tagName === "BUTTON") part.setAttribute("aria-pressed", String(chosen.has(part.dataset.v)));
      else {
        part.classList.toggle("dim", bright.size > 0 && !isBright);
        part.classList.toggle("lit", isBright);
      }
    }
    for (const button of all(".clear")) button.hidden = chosen.size === 0;
  };
  const choose = (variant) => {
    if (!chosen.delete(variant)) chosen.add(variant);
    highlight();
  };
  for (const button of all(".legend button[data-v]")) {
    button.addEventListener("click", () => choose(button.dataset.v));
    button.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && highlight(button.dataset.v));
    button.addEventListener("pointerleave", () => highlight());
  }
  for (const button of all(".clear")) {
    button.addEventListener("click", () => {
      chosen.clear();
      highlight();
    });
  }

  // Hover values.
  const showTip = (text, x, y) => {
    tip.textContent = text;
    tip.hidden = false;
    const { width, height } = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(6, Math.min(x + 14, innerWidth - width - 6))}px`;
    tip.style.top = `${y - height - 14 < 4 ? y + 18 : y - height - 14}px`;
  };
  const threeDigits = (value) =>
    new Intl.NumberFormat("en", { maximumSignificantDigits: 3, minimumSignificantDigits: value ? 3 : 1 }).format(value);
  const percent = (quantile) => `${Number((quantile * 100).toPrecision(6))} %`;
  const onScreen = (svg, x, y) => new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());

  const rowChart = (svg) => {
    const marks = all(".mark", svg);
    const show = (mark, x, y) => {
      for (const other of marks) other.classList.toggle("at", other === mark);
      if (mark) showTip(mark.dataset.tip, x, y);
      else tip.hidden = true;
    };
    for (const mark of marks) mark.addEventListener("click", () => mark.dataset.v !== undefined && choose(mark.dataset.v));
    return {
      point: (event) => show(event.target.closest(".mark"), event.clientX, event.clientY),
      clear: () => show(null),
      step: (state, key) => {
        const move = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[key];
        state.row = ((state.row ?? (move > 0 ? -1 : 0)) + move + marks.length) % marks.length;
        const box = marks[state.row].getBoundingClientRect();
        show(marks[state.row], box.left + box.width / 2, box.top);
      },
      enter: (state) => marks[state.row]?.dataset.v !== undefined && choose(marks[state.row].dataset.v),
    };
  };

  const lineChart = (svg) => {
    const cursor = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    cursor.setAttribute("class", "cursor");
    cursor.setAttribute("r", "4.5");
    const lines = all(".series", svg).map((series) => {
      const line = series.querySelector("path");
      const numbers = (text) => text.split(" ").filter(Boolean).map(Number);
      const places = line.getAttribute("d").split(/[MLz]/).filter(Boolean).map((place) => place.split(" ").map(Number));
      return { series, places, x: numbers(line.dataset.x), y: numbers(line.dataset.y) };
    }).filter((line) => line.places.length > 0);
    const fill = (form, value) => form.replace("{%}", () => percent(value)).replace("{}", () => threeDigits(value));
    const show = (line, index) => {
      for (const other of lines) other.series.classList.toggle("lit", other === line || chosen.has(other.series.dataset.v));
      const [x, y] = line.places[index];
      cursor.setAttribute("cx", x);
      cursor.setAttribute("cy", y);
      svg.append(cursor);
      const place = onScreen(svg, x, y);
      const value = `${fill(svg.dataset.xtip, line.x[index])} ${fill(svg.dataset.ytip, line.y[index])}`;
      showTip(`${line.series.dataset.name}: ${value}`, place.x, place.y);
    };
    return {
      point: (event) => {
        const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
        let best = { distance: Infinity };
        for (const line of lines) {
          if (line.series.classList.contains("dim")) continue;
          line.places.forEach(([x, y], index) => {
            const distance = (x - at.x) ** 2 + (y - at.y) ** 2;
            if (distance < best.distance) best = { distance, line, index };
          });
        }
        if (best.line) show(best.line, best.index);
      },
      clear: () => {
        cursor.remove();
        tip.hidden = true;
        highlight();
      },
      step: (state, key) => {
        if (!lines.length) return;
        state.line ??= 0;
        if (key === "ArrowDown") state.line = (state.line + 1) % lines.length;
        if (key === "ArrowUp") state.line = (state.line + lines.length - 1) % lines.length;
        const line = lines[state.line];
        const move = { ArrowRight: 1, ArrowLeft: -1 }[key] ?? 0;
        state.index = Math.max(0, Math.min((state.index ?? -Math.max(move, 0)) + move, line.places.length - 1));
        show(line, state.index);
      },
      enter: (state) => {
        const variant = lines[state.line ?? 0]?.series.dataset.v;
        if (variant !== undefined) choose(variant);
      },
    };
  };

  const bind = (within) => {
    for (const title of all(".mark > title, .series > title", within)) {
      title.parentElement.dataset.tip = title.textContent;
      title.parentElement.setAttribute("aria-label", title.textContent);
      title.remove(); // the browser's own tooltip would cover ours
    }
    for (const svg of all("svg.chart", within)) {
      const chart = svg.classList.contains("lines") ? lineChart(svg) : rowChart(svg);
      let state = {};
      svg.addEventListener("pointermove", chart.point);
      svg.addEventListener("pointerdown", chart.point);
      svg.addEventListener("pointerleave", chart.clear);
      svg.addEventListener("blur", () => {
        state = {};
        chart.clear();
      });
      svg.addEventListener("keydown", (event) => {
        if (event.key === "Escape") chart.clear();
        else if (event.key === "Enter") chart.enter(state);
        else if (event.key.startsWith("Arrow")) chart.step(state, event.key);
        else return;
        event.preventDefault();
      });
    }
  };
  bind(document);
  // A page that replaces charts says so, at what holds the new ones.
  document.addEventListener("plimsoll-charts", (event) => bind(event.target));
  addEventListener("scroll", () => (tip.hidden = true), { passive: true });

  // Paper cannot be unfolded.
  addEventListener("beforeprint", () => all("details").forEach((details) => (details.open = true)));
}
