// The HTML report in real Chromium. `./run` renders the reports and sets CHROME and REPORTS.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launch, PATIENCE_MS } from "./browser.js";

const { REPORTS, SCREENSHOTS } = process.env;
const DESKTOP = { viewport: { width: 1280, height: 900 } };
const DARK = { ...DESKTOP, colorScheme: "dark" };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true };
const FIXTURES = ["experiment", "many", "calls", "load", "scenarios", "line", "lines", "explanation", "explained"];

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Opens a report, hands it to `look`, and fails on any error, or request other than for the report itself. */
async function withReport(fixture, options, look) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  try {
    const page = await context.newPage();
    const complaints = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => complaints.push(message.text()));
    page.on("request", (request) => {
      if (request.url() !== reportUrl(fixture)) complaints.push(`request of ${request.url()}`);
    });
    await page.goto(reportUrl(fixture));
    await look(page);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}

const reportUrl = (fixture) => pathToFileURL(join(REPORTS, `${fixture}.html`)).href;
const results = (fixture) => JSON.parse(readFileSync(join(REPORTS, `${fixture}.json`), "utf8"));
const measured = (fixture) => results(fixture).variants.filter((variant) => variant.levels.some(Boolean));
const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const isDark = async (page) => (await background(page)).match(/\d+/g).every((channel) => Number(channel) < 60);

async function screenshot(page, name) {
  if (!SCREENSHOTS) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}

for (const fixture of FIXTURES) {
  test(`${fixture}: no error, no request, no sideways scrolling, every chart within the page and with its axis`, async () => {
    await withReport(fixture, DESKTOP, async (page) => {
      await assertAxesAndLegends(page, fixture);
      await assertLaidOut(page, DESKTOP);
      assert.ok(!(await isDark(page)));
      await screenshot(page, `${fixture}-desktop`);
      await page.emulateMedia({ colorScheme: "dark" });
      assert.ok(await isDark(page));
      await screenshot(page, `${fixture}-dark`);
    });
    await withReport(fixture, PHONE, async (page) => {
      await assertLaidOut(page, PHONE);
      await screenshot(page, `${fixture}-phone`);
    });
  });
}

/** Unfolds everything: the page is as wide as the screen, and no chart is wider. */
async function assertLaidOut(page, { viewport }) {
  await page.locator("details").evaluateAll((all) => all.forEach((details) => (details.open = true)));
  const { inner, scroll } = await page.evaluate(() => ({ inner: innerWidth, scroll: document.documentElement.scrollWidth }));
  assert.equal(inner, viewport.width, "the page is laid out at the width of the screen");
  assert.ok(scroll <= inner, `the page is ${scroll} px wide on a screen of ${inner}`);
  const charts = await page.locator("svg.chart:visible").evaluateAll((all) => all.map((svg) => svg.getBoundingClientRect().toJSON()));
  assert.ok(charts.length > 0);
  for (const { left, right } of charts) assert.ok(left >= 0 && right <= inner, `a chart from ${left} to ${right}`);
}

async function assertAxesAndLegends(page, fixture) {
  const charts = await page.locator("svg.chart.rows:visible, svg.chart.lines:visible").evaluateAll((all) =>
    all.map((chart) => ({
      label: chart.getAttribute("aria-label"),
      units: [...chart.querySelectorAll(".axis .unit")].map((unit) => unit.textContent.trim()),
      texts: chart.querySelectorAll(".axis text").length,
    })),
  );
  assert.ok(charts.length > 0, fixture);
  for (const { label, units, texts } of charts) {
    assert.ok(label);
    assert.ok(units.some((unit) => unit), `${label}: an axis with its unit`);
    assert.ok(texts > 2, `${label}: an axis with its numbers`);
  }
  for (const id of ["throughput", "response-time", "percentiles", "start-up"]) {
    const section = page.locator(`#${id}`);
    if (await section.count()) assert.ok((await section.locator(".legend li").count()) > 0, `${fixture} #${id} has no legend`);
  }
}

test("text in charts is readable on a phone", async () => {
  await withReport("many", PHONE, async (page) => {
    const sizes = await page.locator("svg.chart:visible text").evaluateAll((all) =>
      all.map((text) => parseFloat(getComputedStyle(text).fontSize) * text.ownerSVGElement.getScreenCTM().a),
    );
    assert.ok(Math.min(...sizes) >= 10, `the smallest text is ${Math.min(...sizes)} px`);
  });
});

test("every measured variant is named, as text, in every chart of its level", async () => {
  for (const fixture of ["experiment", "many"]) {
    await withReport(fixture, DESKTOP, async (page) => {
      const tips = await page.locator("#throughput .wide .mark").evaluateAll((all) => all.map((mark) => mark.dataset.tip));
      const legend = await page.locator("#percentiles .legend button[data-v]").allTextContents();
      const lines = await page.locator("#percentiles .series").evaluateAll((all) => all.map((line) => line.dataset.name));
      for (const { name, levels } of measured(fixture)) {
        const expected = levels.filter(Boolean).length;
        assert.equal(tips.filter((tip) => tip.startsWith(`${name}: `)).length, expected, name);
        assert.ok(legend.includes(name) && lines.includes(name), name);
      }
      assert.equal(await page.locator("script").count(), 1, "names are text, not markup");
    });
  }
});

test("pointing at a bar or a line shows its values with units", async () => {
  await withReport("experiment", DESKTOP, async (page) => {
    const tip = page.locator("#tip");
    await page.locator("#throughput .wide .mark").first().hover();
    assert.match(await tip.textContent(), /^web-jar: 97\.\d\/s, 3 rounds from 97\.\d to 97\.\d\/s; 95 % interval 97\.\d – 97\.\d\/s; ceiling 100\/s \(100 users ÷ 1\.00 s\)/);
    await page.locator("#response-time .wide .mark").first().hover();
    assert.match(await tip.textContent(), /median 1\.0\d s.*99th –, slowest 1\.0\d s/);
    await page.locator("#percentiles .pane:not([hidden]) .wide svg").hover();
    assert.match(await tip.textContent(), /^\S+: [\d.]+ % answered within [\d.,]+ s$/);
    await page.locator("#time-line .pane:not([hidden]) .wide svg").first().hover();
    assert.match(await tip.textContent(), /^succeeded: at [\d.]+ s [\d.,]+\/s$/);
    await page.locator("h1").hover();
    assert.ok(await tip.isHidden());
  });
});

test("the chain of what a request passes says what is in use, what waits, and what gives way", async () => {
  for (const options of [DESKTOP, PHONE]) {
    await withReport("explanation", options, async (page) => {
      const tip = page.locator("#tip");
      const links = results("explanation").explanations[0].chain;
      const boxes = page.locator("svg.chain:visible .mark");
      assert.equal(await boxes.count(), links.length);
      const limit = page.locator("svg.chain:visible .mark.limit");
      assert.equal(await limit.count(), 1);
      assert.deepEqual(await limit.locator("text").allTextContents(), ["75 wait", "connection pool", "20 of 20 busy", "gives way first"]);
      await limit.locator(".vessel").hover();
      assert.equal(await tip.textContent(), "connection pool (Apache HttpClient 5): 20 of 20 busy; 75 wait; gives way first");
      await page.locator("svg.shares:visible .mark").nth(1).hover();
      assert.match(await tip.textContent(), /^connection pool: 59 %, 75 of 128 requests$/);
      await page.locator("#explanation svg.lines:visible").hover();
      assert.match(await tip.textContent(), /^[a-z ]+: at 2[45]\.\d s [\d.,]+ requests$/);
    });
  }
});

test("where requests are over the load is drawn once for a variant that was explained at several levels", async () => {
  for (const options of [DESKTOP, PHONE]) {
    await withReport("explained", options, async (page) => {
      const figure = page.locator("#explanation figure", { hasText: "over the load" });
      assert.equal(await figure.count(), 1);
      await figure.locator("svg.lines:visible").hover();
      assert.match(await page.locator("#tip").textContent(), /^.+: with [\d,.]+ users? [\d.,]+ requests$/);
      const parts = await figure.locator("ul.legend li").allTextContents();
      assert.equal(parts.at(-1), "not located");
    });
  }
});

test("without scripts the values are still there", async () => {
  await withReport("experiment", { ...DESKTOP, javaScriptEnabled: false }, async (page) => {
    const title = await page.locator("#throughput .wide .mark title").first().textContent();
    assert.match(title, /^web-jar: 97\.\d\/s/);
    assert.ok((await page.locator("#percentiles .pane:visible").count()) > 1, "every pane is shown");
  });
});

test("charts can be read and used by keyboard alone", async () => {
  await withReport("experiment", DESKTOP, async (page) => {
    const tip = page.locator("#tip");
    await page.locator("#throughput .wide svg").first().focus();
    await page.keyboard.press("ArrowDown");
    assert.match(await tip.textContent(), /^web-jar: /);
    await page.keyboard.press("ArrowDown");
    assert.match(await tip.textContent(), /^web-jar-vt: /);
    await page.keyboard.press("Enter");
    assert.equal(await page.locator('.legend button[aria-pressed="true"]').first().textContent(), "web-jar-vt");
    await page.locator("#percentiles .pane:not([hidden]) .wide svg").focus();
    await page.keyboard.press("ArrowRight");
    assert.match(await tip.textContent(), /^web-jar: 0 % answered within/);
    await page.keyboard.press("ArrowRight");
    assert.match(await tip.textContent(), /^web-jar: [1-9][\d.]* % answered within/);
    await page.keyboard.press("Escape");
    assert.ok(await tip.isHidden());
  });
});

test("a variant pressed in a legend stands out in every chart, until it is released", async () => {
  await withReport("many", DESKTOP, async (page) => {
    const dimmed = () => page.locator("#percentiles .pane:not([hidden]) .wide .series.dim").count();
    const button = page.locator("#throughput .legend button[data-v]").nth(3);
    await button.click();
    assert.equal(await dimmed(), measured("many").length - 1);
    await page.locator("#percentiles .legend .clear").click();
    assert.equal(await dimmed(), 0);
    assert.equal(await button.getAttribute("aria-pressed"), "false");
  });
});

test("levels and runs are chosen from lists", async () => {
  await withReport("experiment", DESKTOP, async (page) => {
    const shown = () => page.locator("#percentiles .pane:visible .wide svg").getAttribute("aria-label");
    assert.equal(await shown(), "Percentile curves of response time at level 2,700");
    await page.locator("#percentiles select").first().selectOption({ index: 0 });
    await page.locator("#percentiles select").last().selectOption("service time");
    assert.equal(await shown(), "Percentile curves of service time at level 100");
    await page.locator("#time-line select").selectOption("reactive-jar, round 1");
    const panels = page.locator("#time-line .pane:visible .wide svg");
    assert.equal(await panels.count(), 6, "throughput, response time, CPU, memory, connections by state, accept queue");
    assert.match(await panels.first().getAttribute("aria-label"), /of reactive-jar in round 1$/);
    assert.deepEqual(await panels.first().locator(".level text").allTextContents(), ["warm-up", "100", "300", "900", "2,700"]);
  });
});

test("the theme follows the system until it is chosen, and stays chosen", async () => {
  await withReport("load", DARK, async (page) => {
    assert.ok(await isDark(page));
    await page.locator("#theme").click();
    assert.ok(!(await isDark(page)));
    // Chromium hands what is stored to another process: a page that is loaded again at once may be before it.
    const deadline = Date.now() + PATIENCE_MS;
    do await page.reload();
    while ((await isDark(page)) && Date.now() < deadline);
    assert.ok(!(await isDark(page)));
    await page.locator("#theme").click();
    assert.ok(await isDark(page));
  });
});

test("on paper it is light, unfolded and without buttons", async () => {
  await withReport("experiment", DARK, async (page) => {
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.ok(!(await isDark(page)));
    assert.ok(await page.locator("#theme").isHidden());
    assert.equal(await page.locator("details:not([open])").count(), 0);
    const pdf = await page.pdf({ format: "A4" });
    assert.equal(pdf.subarray(0, 5).toString(), "%PDF-");
    if (SCREENSHOTS) await page.pdf({ format: "A4", path: join(SCREENSHOTS, "experiment.pdf") });
  });
});
