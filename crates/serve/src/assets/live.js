// The part of the page that moves, asked for every second until the execution ends.
"use strict";
{
  const EVERY_MS = 1000;
  const now = document.getElementById("now");
  const isOver = () => now.firstElementChild?.hasAttribute("data-ended");

  const put = (text) => {
    const fresh = new DOMParser().parseFromString(text, "text/html").querySelector(".moving");
    if (!fresh) return;
    // A chart that is being read stays as it is.
    const charts = now.querySelector(".charts");
    const isRead = charts && (charts.matches(":hover") || charts.contains(document.activeElement));
    if (isRead && !fresh.hasAttribute("data-ended")) fresh.querySelector(".charts")?.replaceWith(charts);
    now.replaceChildren(fresh);
    if (!isRead || isOver()) now.dispatchEvent(new Event("plimsoll-charts", { bubbles: true }));
  };
  const gone = () => {
    if (now.querySelector(".gone")) return;
    const text = document.createElement("p");
    text.className = "gone";
    text.setAttribute("role", "alert");
    text.textContent = "plimsoll serve does not answer: what is shown is as it was then.";
    now.prepend(text);
  };
  const ask = async () => {
    try {
      if (!document.hidden) {
        const answer = await fetch(now.dataset.from);
        if (answer.ok) put(await answer.text());
      }
    } catch {
      gone();
    }
    if (!isOver()) setTimeout(ask, EVERY_MS);
  };
  if (!isOver()) setTimeout(ask, EVERY_MS);
}
