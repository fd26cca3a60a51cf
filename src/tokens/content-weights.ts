import type { CharsPerToken, ContentKind, Script } from "./chars-per-token.ts";
import { profileText } from "./content-kind.ts";
import type { Stretch } from "./newest-stretch.ts";
import type { ContentWeights } from "./rate-belief.ts";
import { ratedKinds } from "./rate-belief.ts";
import type { Scale } from "./weigh-block.ts";
import { weighBlock } from "./weigh-block.ts";

const indexOf = Object.fromEntries(ratedKinds.map((kind, i) => [kind, i])) as Record<ContentKind | Script, number>;

/** A stretch apart by kind, in tokens of these rates. */
export function weighStretch({ messages, texts }: Omit<Stretch, "actual">, rates: CharsPerToken): ContentWeights {
  const byKind = ratedKinds.map(() => 0);
  let fixed = 0;
  const add = (kind: ContentKind | Script, chars: number): number => {
    const i = indexOf[kind];
    byKind[i] = (byKind[i] as number) + chars / rates[kind];
    return 0;
  };
  const scale: Scale = {
    text: (text) => {
      const { kind, chinese, japanese, emoji, otherNonLatin } = profileText(text);
      add("chinese", text.length * chinese);
      add("japanese", text.length * japanese);
      add("emoji", text.length * emoji);
      add("otherNonLatin", text.length * otherNonLatin);
      return add(kind, text.length * (1 - chinese - japanese - emoji - otherNonLatin));
    },
    chars: add,
    tokens: (count) => {
      fixed += count;
      return 0;
    },
  };
  for (const text of texts) scale.text(text);
  for (const message of messages) {
    if (message.kind === "boundary" || message.kind === "notice") continue;
    for (const block of message.content) weighBlock(block, scale);
  }
  return { byKind, fixed };
}
