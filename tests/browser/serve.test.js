// The pages of `plimsoll serve` in real Chromium, over 1,000 executions. `./run` sets CHROME, PLIMSOLL and SHELF.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { launch, PATIENCE_MS } from "./browser.js";

const { PLIMSOLL, SHELF, SCREENSHOTS } = process.env;
const COUNT = 1000;
const DESKTOP = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true };

let browser, directory, server, base;
before(async () => {
  directory = mkdtempSync(join(tmpdir(), "plimsoll-serve-"));
  execFileSync(SHELF, [join(directory, "plimsoll.db"), String(COUNT)]);
  server = spawn(PLIMSOLL, ["serve", "--port", "0", directory], { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface(server.stdout)) {
    base = line.match(/http:\S+\//)[0];
    break;
  }
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.kill("SIGINT");
  if (directory) rmSync(directory, { recursive: true });
});

/** Opens a page, hands it to `look`, and fails on any error, any other host, and any name that was obeyed. */
async function withPage(path, options, look) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  try {
    const page = await context.newPage();
    const complaints = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => complaints.push(message.text()));
    page.on("dialog", (dialog) => complaints.push(`a dialog: ${dialog.message()}`));
    page.on("request", (request) => {
      if (!request.url().startsWith(base) && !request.url().startsWith("data:")) complaints.push(`request of ${request.url()}`);
    });
    await page.goto(new URL(path, base).href);
    await look(page);
    assert.ok(!(await page.title()).includes("obeyed"));
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}

/** Until every verdict is made: rows do not change any more. */
const settled = (page) => page.locator('#results[data-pending="0"]').waitFor({ timeout: 60_000 });
const names = (page) => page.locator(".executions .open").allTextContents();
const isDark = async (page) =>
  (await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).match(/\d+/g).every((channel) => Number(channel) < 60);

async function screenshot(page, name) {
  if (!SCREENSHOTS) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `serve-${name}.png`) });
}

test("newest first, 200 on a page, with verdicts and figures", async () => {
  await withPage("/", DESKTOP, async (page) => {
    await settled(page);
    assert.equal(await page.locator(".count").textContent(), "1,000 executions");
    assert.equal(await page.locator(".executions tbody tr").count(), 200);
    assert.match(await page.locator(".executions .id").first().textContent(), /#1000$/);
    assert.ok((await page.locator(".badge.holds").count()) > 50 && (await page.locator(".badge.fails").count()) > 50);
    assert.match(await page.locator(".figures").nth(1).textContent(), /^[\d.,]+\/s, median [\d.]+ ms$/);
    assert.equal(await page.locator(".state.unfinished").count(), 1, "the last one was killed");
    await page.getByRole("link", { name: "Older" }).click();
    assert.match(await page.locator(".executions .id").first().textContent(), /#800$/);
    await screenshot(page, "list");
  });
});

for (const [name, options] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
  test(`every page on ${name}, light and dark: no error, nothing from elsewhere, no sideways scrolling`, async () => {
    for (const path of ["/", "/?q=backwards", "/?page=5", `${key()}/14`, `${key()}/1000/live`, compared(14, 24), compared(14, 51), compared(14, 51) + "&anyway=yes", "/nothing"]) {
      const context = await browser.newContext(options);
      context.setDefaultTimeout(PATIENCE_MS);
      const page = await context.newPage();
      const complaints = [];
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => /status of 40[49]/.test(message.text()) || complaints.push(message.text()));
      await page.goto(new URL(path, base).href);
      const { inner, scroll } = await page.evaluate(() => ({ inner: innerWidth, scroll: document.documentElement.scrollWidth }));
      assert.equal(inner, options.viewport.width, `${path} is laid out at the width of the screen`);
      assert.ok(scroll <= inner, `${path} is ${scroll} px wide on a screen of ${inner}`);
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        assert.equal(await isDark(page), colorScheme === "dark", path);
        await screenshot(page, `${name}-${colorScheme}-${path.replace(/\W+/g, "-")}`);
      }
      assert.deepEqual(complaints, [], path);
      await context.close();
    }
  });
}

const compared = (a, b) => `/compare?a=${key().slice(1)}/${a}&b=${key().slice(1)}/${b}`;

/** Path of the record: its key follows from the directory. */
const key = () => `/${directory.split("/").pop().toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 40)}`;

test("hostile names are text, cut, and whole on hover", async () => {
  await withPage("/?q=onerror", DESKTOP, async (page) => {
    await settled(page);
    assert.ok((await names(page)).some((name) => name.includes('"><img src=x onerror=')), (await names(page)).join("\n"));
    assert.equal(await page.locator(".executions img").count(), 0);
    const long = page.locator(".executions .open", { hasText: "long long" }).first();
    assert.ok((await long.textContent()).endsWith("…") && (await long.textContent()).length <= 121);
    assert.ok((await long.locator("bdi").getAttribute("title")).length > 300);
  });
  await withPage("/?q=backwards", DESKTOP, async (page) => {
    const [name] = await names(page);
    assert.ok(!/[\u0000-\u001f\u202e]/.test(name) && name.includes("\ufffd"), JSON.stringify(name));
  });
});

test("search narrows the list as one types, and stays in the address", async () => {
  await withPage("/", DESKTOP, async (page) => {
    await settled(page);
    await page.keyboard.press("/");
    assert.equal(await page.evaluate(() => document.activeElement.id), "q");
    await page.keyboard.type("path/42");
    // A machine that is busy may have asked for what was typed by then, first.
    await page.locator(".count", { hasText: /^\d{1,2} of 1,000/ }).waitFor({ timeout: 60_000 });
    await settled(page);
    const found = await names(page);
    assert.ok(found.length > 5 && found.every((name) => name.includes("path/42")), found.join("\n"));
    assert.equal(new URL(page.url()).searchParams.get("q"), "path/42");
    await page.locator('select[name="verdict"]').selectOption("fails");
    await page.locator(".executions .badge.holds").first().waitFor({ state: "detached" });
    await settled(page);
    assert.ok((await page.locator(".badge.fails").count()) > 0);
    assert.equal(await page.locator(".badge.holds").count(), 0);
    await page.reload();
    assert.equal(await page.locator("#q").inputValue(), "path/42");
    assert.equal(await page.locator('select[name="verdict"]').inputValue(), "fails");
  });
  await withPage("/?kind=experiment", DESKTOP, async (page) => {
    assert.equal(await page.locator(".count").textContent().then((text) => text.split(" ·")[0]), "10 of 1,000 executions");
  });
});

test("the list is read and opened by keyboard alone", async () => {
  await withPage("/?q=path", DESKTOP, async (page) => {
    await settled(page);
    const focused = () => page.evaluate(() => document.activeElement.closest("tr")?.querySelector(".id").textContent);
    await page.keyboard.press("j");
    const first = await focused();
    await page.keyboard.press("j");
    assert.notEqual(await focused(), first);
    await page.keyboard.press("k");
    assert.equal(await focused(), first);
    await page.keyboard.press("c");
    assert.equal(await page.locator('input[name="of"]:checked').count(), 1);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/\d+(\/live)?$/);
  });
});

test("two that are ticked are compared, in the order of ticking, and a report offers it, too", async () => {
  await withPage("/?q=path", DESKTOP, async (page) => {
    await settled(page);
    const boxes = page.locator('input[name="of"]');
    assert.ok(await page.locator(".picked button").isDisabled());
    for (const index of [4, 2, 6]) await boxes.nth(index).check();
    assert.equal(await page.locator('input[name="of"]:checked').count(), 2, "the oldest tick gives way");
    const [a, b] = [await boxes.nth(2).inputValue(), await boxes.nth(6).inputValue()];
    await page.locator(".picked button").click();
    await page.waitForURL(/compare/);
    const query = new URL(page.url()).searchParams;
    assert.deepEqual([query.get("a"), query.get("b")], [a, b]);
    const reports = [a, b].map((place) => `Report of #${place.split("/")[1]}`);
    assert.deepEqual(await page.locator(".among a").allTextContents(), ["← All executions", ...reports, "Swap"]);
    assert.ok((await page.locator("main table tbody tr").count()) >= 4);
    await page.getByRole("link", { name: reports[0] }).click();
    await page.getByRole("link", { name: "Compare with another" }).click();
    await settled(page);
    assert.match(await page.locator("#picked").textContent(), /is ticked: tick another/);
  });
});

test("the report is the one that is written to files, its charts alive under a stricter policy", async () => {
  await withPage(`${key()}/51`, DESKTOP, async (page) => {
    await page.locator("#throughput .wide .mark").first().hover();
    assert.match(await page.locator("#tip").textContent(), /\/s/);
    await page.getByRole("link", { name: "All executions" }).click();
    await page.waitForURL(base);
  });
});

test("a run that was killed shows what it had, and its charts answer to the pointer", async () => {
  await withPage(`${key()}/1000/live`, DESKTOP, async (page) => {
    assert.match(await page.locator(".moving").textContent(), /unfinished.*Nothing has been written for/s);
    await page.waitForTimeout(1500); // one replacement
    await page.locator(".charts .wide svg").first().hover();
    assert.match(await page.locator("#tip").textContent(), /succeeded: at [\d.]+ s [\d.,]+\/s/);
  });
});

test("without scripts the list is searched and two are compared by forms", async () => {
  await withPage("/", { ...DESKTOP, javaScriptEnabled: false }, async (page) => {
    await page.locator("#q").fill("path/42");
    await page.getByRole("button", { name: "Search" }).click();
    assert.ok((await names(page)).every((name) => name.includes("path/42")));
    await page.locator('input[name="of"]').nth(0).check();
    await page.locator('input[name="of"]').nth(1).check();
    await page.getByRole("button", { name: "Compare" }).click();
    assert.equal(await page.locator(".among a").count(), 4);
  });
});
