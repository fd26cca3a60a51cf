import type { Shape } from "./shape.ts";
import {
  anything,
  dictionary,
  flag,
  listOf,
  matching,
  needing,
  object,
  oneOf,
  optional,
  orNull,
  tagged,
  text,
  textOr,
} from "./shape.ts";

/** Forms of content blocks. Source: `BetaContentBlockParam` of SDK 1.14; `cache_edits` is modelled (K3). */

export const cacheControl: Shape = orNull(object({ type: oneOf("ephemeral"), ttl: optional(oneOf("5m", "1h")) }));

const type: Shape = anything; // checked as the tag
const breakpoint = optional(cacheControl);
/** V4. */
const toolId: Shape = matching(/^[a-zA-Z0-9_-]+$/, "^[a-zA-Z0-9_-]+$", 64);

export const textBlock: Shape = object({
  type,
  text,
  cache_control: breakpoint,
  citations: optional(orNull(listOf(dictionary))),
});

const imageTypes = oneOf("image/jpeg", "image/png", "image/gif", "image/webp");
const url = object({ type, url: text });
const file = object({ type, file_id: text });

const imageBlock = object({
  type,
  source: tagged({ base64: object({ type, media_type: imageTypes, data: text }), url, file }),
  cache_control: breakpoint,
  transformations: optional(orNull(object({ oversized_image: optional(oneOf("downsize", "error")) }))),
});

const documentBlock = object({
  type,
  source: tagged({
    base64: object({ type, media_type: oneOf("application/pdf"), data: text }),
    text: object({ type, media_type: oneOf("text/plain"), data: text }),
    content: object({ type, content: textOr(listOf(tagged({ text: textBlock, image: imageBlock }))) }),
    url,
    file,
  }),
  cache_control: breakpoint,
  citations: optional(orNull(dictionary)),
  context: optional(orNull(text)),
  title: optional(orNull(text)),
});

const searchResultBlock = object({
  type,
  content: listOf(textBlock),
  source: text,
  title: text,
  cache_control: breakpoint,
  citations: optional(dictionary),
});

const toolReference = object({ type, tool_name: text, cache_control: breakpoint });

const toolResultBlock = object({
  type,
  tool_use_id: toolId,
  cache_control: breakpoint,
  content: optional(
    textOr(
      listOf(
        tagged({
          text: textBlock,
          image: imageBlock,
          search_result: searchResultBlock,
          document: documentBlock,
          tool_reference: toolReference,
          browser_state: dictionary,
        }),
      ),
    ),
  ),
  is_error: optional(flag),
  toolset_name: optional(orNull(text)),
});

const caller = optional(dictionary);
const toolUseBlock = object({
  type,
  id: toolId,
  name: text,
  input: dictionary,
  cache_control: breakpoint,
  caller,
  toolset_name: optional(orNull(text)),
});
const serverToolUse = object({ type, id: toolId, name: text, input: dictionary, cache_control: breakpoint, caller });
const serverToolResult = object({ type, tool_use_id: toolId, content: anything, cache_control: breakpoint, caller });

/** Server tools: the call blocks, and the result blocks by their type. They pair within one assistant message (V4). */
export const serverCalls: readonly string[] = ["server_tool_use", "mcp_tool_use"];
export const serverResults: readonly string[] = [
  "web_search_tool_result",
  "web_fetch_tool_result",
  "code_execution_tool_result",
  "bash_code_execution_tool_result",
  "text_editor_code_execution_tool_result",
  "tool_search_tool_result",
  "advisor_tool_result",
];

const mcp = ["mcp-client-"];
const toolChanges = ["mid-conversation-tool-changes-2026-07-01"];
const toolChange = needing(object({ type, tool: dictionary, cache_control: breakpoint }), { betas: toolChanges });

const compactionBlock = object({
  type,
  cache_control: breakpoint,
  content: optional(orNull(text)),
  encrypted_content: optional(orNull(text)),
  signature: optional(orNull(text)),
  tool_changes: optional(orNull(listOf(dictionary))),
});

const cacheEdits = object({
  type,
  edits: listOf(tagged({ delete: object({ type, tool_use_id: toolId }) })),
});

/** What a user or assistant message may hold. Which of them belongs to which role is V4's matter. */
export const contentBlock: Shape = tagged({
  text: textBlock,
  image: imageBlock,
  document: documentBlock,
  search_result: searchResultBlock,
  thinking: object({ type, thinking: text, signature: text }),
  redacted_thinking: object({ type, data: text }),
  tool_use: toolUseBlock,
  tool_result: toolResultBlock,
  server_tool_use: serverToolUse,
  ...Object.fromEntries(serverResults.map((name) => [name, serverToolResult])),
  mcp_tool_use: needing(
    object({ type, id: toolId, name: text, input: dictionary, server_name: text, cache_control: breakpoint }),
    { betas: mcp },
  ),
  mcp_tool_result: needing(
    object({
      type,
      tool_use_id: toolId,
      content: optional(textOr(listOf(textBlock))),
      is_error: optional(flag),
      cache_control: breakpoint,
    }),
    { betas: mcp },
  ),
  mcp_tool_listing: needing(dictionary, { betas: mcp }),
  container_upload: object({ type, file_id: text, cache_control: breakpoint }),
  compaction: needing(compactionBlock, { betas: ["compact-2026-01-12", "compact-2026-09-04"] }),
  fallback: needing(dictionary, { betas: ["server-side-fallback-"] }),
  cache_edits: needing(cacheEdits, { capability: "cacheEditing" }),
});

/** What a `system` message in mid-conversation may hold. */
export const systemMessageBlock: Shape = tagged({
  text: textBlock,
  tool_addition: toolChange,
  tool_removal: toolChange,
});
