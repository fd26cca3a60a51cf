import type { Invariant } from "./invariant.ts";

/** Wordings of a refusal for size, over all providers: an outcome, not a break. */
const forSize =
  /prompt is too long|input is too long|exceed context limit|exceeds the maximum size|exceeds? .*maximum|image dimensions|PDF pages/i;

/** The server accepts what is sent: pairs, order, thinking bound to its past, breakpoints (mock-api.md V1-V7). */
export const requestValid: Invariant = {
  name: "request-valid",
  says: "every request is accepted, unless a fault or its size is the reason",
  watch: (report) => ({
    event: (event) => {
      if (event.kind !== "refused" || event.injected || event.errorType === "rate_limit_error") return;
      if (event.status >= 500 || forSize.test(event.text)) return;
      report(`${event.querySource} request refused with ${event.status}: ${event.text}`);
    },
  }),
};
