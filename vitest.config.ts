import type { ViteUserConfigFnObject } from "vitest/config";
import { defineConfig } from "vitest/config";

/** `vitest run` runs every test but the browser's; `vitest run --mode browser` runs only those, which need Chromium. */
const config: ViteUserConfigFnObject = defineConfig(({ mode }) => ({
  test: {
    include: mode === "browser" ? ["src/**/*.browser.test.ts"] : ["src/**/*.test.ts", "bench/**/*.test.ts"],
    exclude: mode === "browser" ? [] : ["**/*.browser.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
}));

export default config;
