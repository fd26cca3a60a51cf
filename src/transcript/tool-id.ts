/** Whether the API takes this as a tool_use id. Source: mock-api.md V4. */
export function isWireToolId(id: string): boolean {
  return id.length <= 64 && /^[a-zA-Z0-9_-]+$/.test(id);
}

/**
 * An id that the API takes, the same one for the same id in every request, so that both sides of a pair and every later request agree (M5).
 * A valid id comes back as it is. Different ids stay different (a 64-bit hash of the whole stands at the end).
 */
export function toWireToolId(id: string): string {
  if (isWireToolId(id)) return id;
  return `${id.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 40)}_${fnv1a(id, 0x811c9dc5)}${fnv1a(id, 0x9747b28c)}`;
}

/** FNV-1a over UTF-16 units, 8 hexadecimal digits. */
function fnv1a(text: string, basis: number): string {
  let hash = basis;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
