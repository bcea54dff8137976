// Milliseconds until pages of `plimsoll serve` show their first content: the part of benches/first-paint that has a browser.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { launch } from "./browser.js";

const { PLIMSOLL, PLACE, ROUNDS } = process.env;
const browser = await launch();

const start = async () => {
  const server = spawn(PLIMSOLL, ["serve", "--port", "0", PLACE], { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface(server.stdout)) return { server, base: line.match(/http:\S+\//)[0] };
};

/** From the start of the navigation to the first content that is painted, and to the end of loading. */
const paint = async (url) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(url);
  const times = await page.evaluate(async () => {
    const first = await new Promise((resolve) => {
      new PerformanceObserver((list) => {
        const found = list.getEntriesByName("first-contentful-paint")[0];
        if (found) resolve(found.startTime);
      }).observe({ type: "paint", buffered: true });
    });
    return { first, loaded: performance.getEntriesByType("navigation")[0].loadEventEnd };
  });
  await context.close();
  return times;
};

const pages = { "list, server just started": [], "list, again": [], "search of all": [], "a report": [] };
for (let round = 0; round < Number(ROUNDS); round += 1) {
  const { server, base } = await start();
  pages["list, server just started"].push(await paint(base));
  pages["list, again"].push(await paint(base));
  pages["search of all"].push(await paint(`${base}?q=path`));
  pages["a report"].push(await paint(`${base}shop/14`));
  server.kill("SIGINT");
}
await browser.close();

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
console.log(`${"page".padEnd(28)} first content ms  [least – most]   loaded ms`);
for (const [name, times] of Object.entries(pages)) {
  const first = times.map((it) => it.first);
  const range = `[${Math.min(...first).toFixed(0)} – ${Math.max(...first).toFixed(0)}]`;
  console.log(`${name.padEnd(28)} ${median(first).toFixed(0).padStart(16)}  ${range.padEnd(15)} ${median(times.map((it) => it.loaded)).toFixed(0).padStart(10)}`);
}
