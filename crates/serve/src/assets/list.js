// The list: search as one types, keys, two ticks, and a look again now and then. Without it the forms work by Enter.
"use strict";
{
  const SOON_MS = 700; // while verdicts are being made
  const NOW_AND_THEN_MS = 5000;
  const TYPED_MS = 150;
  const form = document.querySelector("form.search");
  const field = document.getElementById("q");
  const results = () => document.getElementById("results");
  const boxes = () => [...document.querySelectorAll('input[name="of"]')];
  const links = () => [...document.querySelectorAll(".executions .open")];

  // Ticks outlive the rows: two at most, the oldest gives way.
  const first = new URLSearchParams(location.search).get("a");
  let ticked = first ? [first] : [];
  const showTicks = () => {
    for (const box of boxes()) box.checked = ticked.includes(box.value);
    const button = document.querySelector(".picked button");
    if (!button) return;
    button.disabled = ticked.length < 2;
    const text = ["Tick two executions to compare them.", `#${ticked[0]} is ticked: tick another.`, `#${ticked.join(" and #")}`];
    document.getElementById("picked").textContent = text[ticked.length];
  };
  const tick = (value) => {
    ticked = ticked.includes(value) ? ticked.filter((other) => other !== value) : [...ticked, value].slice(-2);
    showTicks();
  };
  document.addEventListener("change", (event) => {
    if (event.target.name === "of") tick(event.target.value);
  });
  document.addEventListener("submit", (event) => {
    if (event.target.id !== "pick") return;
    event.preventDefault();
    // In the order of ticking, also where one is on another page of the list.
    if (ticked.length === 2) location.assign(`/compare?${new URLSearchParams({ a: ticked[0], b: ticked[1] })}`);
  });

  // New rows in the place of the old ones; the focus stays where it was.
  const put = (fresh) => {
    if (fresh.outerHTML === results().outerHTML) return;
    const held = document.activeElement;
    const inside = results().contains(held) ? held : null;
    results().replaceWith(fresh);
    showTicks();
    if (!inside) return;
    const same = inside.name === "of" ? boxes().find((box) => box.value === inside.value) : links().find((link) => link.href === inside.href);
    same?.focus({ preventScroll: true });
  };
  let asked = 0;
  const ask = async (url) => {
    const mine = ++asked;
    try {
      const answer = await fetch(url);
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("results");
      if (mine === asked && fresh) put(fresh);
    } catch {
      return; // the server has ended: what is shown stays
    }
  };
  const again = async () => {
    if (!document.hidden) await ask(location.href);
    setTimeout(again, results().dataset.pending === "0" ? NOW_AND_THEN_MS : SOON_MS);
  };
  setTimeout(again, results().dataset.pending === "0" ? NOW_AND_THEN_MS : SOON_MS);

  let typed;
  const search = () => {
    const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
    const url = `/?${query}`;
    history.replaceState(null, "", query.size ? url : "/");
    ask(url);
  };
  form.addEventListener("input", () => {
    clearTimeout(typed);
    typed = setTimeout(search, TYPED_MS);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(typed);
    search();
  });

  // Keys.
  const move = (by) => {
    const all = links();
    const row = document.activeElement?.closest(".executions tbody tr");
    const at = row ? all.indexOf(row.querySelector(".open")) : by > 0 ? -1 : all.length;
    const next = all[Math.max(0, Math.min(at + by, all.length - 1))];
    next?.focus();
    next?.closest("tr").scrollIntoView({ block: "nearest" });
  };
  const keys = {
    "/": () => field.select(),
    j: () => move(1),
    k: () => move(-1),
    c: () => {
      const box = document.activeElement?.closest(".executions tbody tr")?.querySelector('input[name="of"]');
      if (box) tick(box.value);
    },
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target === field) {
      if (event.key === "Escape") field.blur();
      else if (event.key === "ArrowDown") move(1);
      else return;
    } else if (keys[event.key] && event.target.tagName !== "SELECT") keys[event.key]();
    else return;
    event.preventDefault();
  });
  showTicks();
}
