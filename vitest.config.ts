import type { ViteUserConfigFnObject } from "vitest/config";
import { defineConfig } from "vitest/config";

/** `vitest run` runs every test but the browser's; `vitest run --mode browser` runs only those, which need Chromium. */
const config: ViteUserConfigFnObject = defineConfig(({ mode }) => ({
  test: {
    include: mode === "browser" ? ["src/**/*.browser.test.ts"] : ["src/**/*.test.ts", "bench/**/*.test.ts"],
    exclude: mode === "browser" ? [] : ["**/*.browser.test.ts"],
    // One module graph a worker: no test leaves anything behind, and loading 600 files anew for each test file takes longer than the tests.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
}));

export default config;
