import { defineConfig } from "vitest/config";

/** Tests of parts that listen to a page; all others run without one, which starts faster. */
const WITH_A_PAGE = ["{test,src/board/tests}/**/*.test.tsx", "test/{net,table}.test.ts"];

/** Far longer than any takes, for machines that do much else. */
const testTimeout = 60_000;

export default defineConfig({
  test: {
    projects: [
      { test: { name: "page", environment: "happy-dom", include: WITH_A_PAGE, testTimeout } },
      {
        test: {
          name: "plain",
          environment: "node",
          include: ["{test,src/board/tests}/**/*.test.ts"],
          exclude: WITH_A_PAGE,
          testTimeout,
        },
      },
    ],
  },
});
