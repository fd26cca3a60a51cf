import type { ApiError } from "../api-error.ts";
import { invalid } from "../api-error.ts";
import type { BlockFacts, FoundMedia } from "../facts/block-facts.ts";
import type { MessageFacts } from "../facts/message-facts.ts";
import type { ProviderProfile } from "../options.ts";
import type { Rule } from "./rule.ts";

const megabyte = 1024 * 1024;
/** Pixels on a side: of an image alone, and of one among many. */
const largestSide = 8_000;
const largestSideOfMany = 2_000;
const many = 20;

/** V7: sizes and numbers of images and PDF pages; failed tools answer in text. */
export const checkMedia: Rule = ({ messages, model, last }, { profile }) => {
  if (last.media === 0) return undefined;
  const most = model.contextWindow <= 200_000 ? 100 : 600;
  const images = count(messages, (media) => (media.facts.kind === "image" ? 1 : 0));
  let pages = 0;
  for (const [m, message] of messages.entries()) {
    if (message.media === 0) continue;
    for (const [i, block] of message.blocks.entries()) {
      const at = `messages.${m}.content.${i}`;
      if (block.wire.is_error === true && hasOtherThanText(block))
        return invalid(`${at}.tool_result: all content must be type "text" if "is_error" is true`);
      for (const media of block.media) {
        const problem = checkImage(media, at, images, profile);
        if (problem !== undefined) return problem;
        if (media.facts.kind === "pdf") pages += media.facts.pages;
        if (pages > most)
          return invalid(
            `${at}${media.inside}.pdf.source.base64.data: A maximum of ${most} PDF pages may be provided.`,
          );
      }
    }
  }
  return images > most ? invalid(`messages: A maximum of ${most} images may be provided. Found ${images}.`) : undefined;
};

function checkImage(
  { facts, inside }: FoundMedia,
  at: string,
  images: number,
  profile: ProviderProfile,
): ApiError | undefined {
  if (facts.kind !== "image") return undefined;
  const megabytes = profile === "bedrock" || profile === "vertex" ? 5 : 10;
  const source = `${at}${inside}.image.source.base64`;
  if (facts.base64Chars > megabytes * megabyte)
    return invalid(
      `${source}: image exceeds ${megabytes} MB maximum: ${facts.base64Chars} bytes > ${megabytes * megabyte} bytes`,
    );
  if (facts.size === null) return undefined;
  const side = Math.max(facts.size.width, facts.size.height);
  if (side > largestSide)
    return invalid(
      `${source}.data: At least one of the image dimensions exceed max allowed size: ${largestSide} pixels`,
    );
  if (images > many && side > largestSideOfMany)
    return invalid(
      `${source}.data: At least one of the image dimensions exceed max allowed size for many-image requests: ${largestSideOfMany} pixels`,
    );
  return undefined;
}

function count(messages: readonly MessageFacts[], of: (media: FoundMedia) => number): number {
  let sum = 0;
  for (const message of messages)
    if (message.media > 0) for (const block of message.blocks) for (const media of block.media) sum += of(media);
  return sum;
}

function hasOtherThanText(block: BlockFacts): boolean {
  const content = block.wire.content;
  return Array.isArray(content) && content.some((part: { readonly type: string }) => part.type !== "text");
}
