// The browser that looks at pages.
import { chromium } from "playwright-core";

/** Starts the Chromium that CHROME names; it asks nobody for anything by itself. */
export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROME,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
}
