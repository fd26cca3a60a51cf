/** Where the messages stand in the text of a body. */
export interface MessagesPlace {
  /** Of the first character after the bracket. */
  readonly start: number;
  /** Behind each message. */
  readonly ends: readonly number[];
  /** Names of the members before them. */
  readonly namesBefore: readonly string[];
}

/**
 * Finds the messages in a body that is known to be JSON. Undefined unless it is written as serializers write it: no blanks between messages, each of
 * them an object, and no member named twice.
 */
export function placeOfMessages(text: string): MessagesPlace | undefined {
  if (text[0] !== "{") return undefined;
  const namesBefore: string[] = [];
  for (let at = 1; text[at] === '"'; ) {
    const nameEnd = endOfString(text, at);
    const name = text.slice(at + 1, nameEnd - 1);
    if (name.includes("\\") || name === "__proto__" || text[nameEnd] !== ":") return undefined;
    if (name === "messages") {
      const start = nameEnd + 2;
      const ends = text[nameEnd + 1] === "[" ? endsFrom(text, start, namesBefore) : undefined;
      return ends === undefined ? undefined : { start, ends, namesBefore };
    }
    namesBefore.push(name);
    at = endOfValue(text, nameEnd + 1) + 1;
  }
  return undefined;
}

/** Ends of the messages from one that begins at `from`, or from the closing bracket. Undefined as above. */
export function endsFrom(text: string, from: number, namesBefore: readonly string[]): number[] | undefined {
  const ends: number[] = [];
  let at = from;
  while (text[at] === "{") {
    const end = endOfValue(text, at);
    ends.push(end);
    if (text[end] === "]") at = end;
    else if (text[end] === ",") at = end + 1;
    else return undefined;
  }
  return text[at] === "]" && !namesAgain(text, at + 1, namesBefore) ? ends : undefined;
}

/** Whether a member after the messages has their name, or one of those before them, too: JSON takes the last. */
function namesAgain(text: string, from: number, namesBefore: readonly string[]): boolean {
  for (let at = from; text[at] === ","; ) {
    const nameEnd = endOfString(text, at + 1);
    const name = text.slice(at + 2, nameEnd - 1);
    if (text[at + 1] !== '"' || text[nameEnd] !== ":" || name === "messages" || name.includes("\\")) return true;
    if (namesBefore.includes(name)) return true;
    at = endOfValue(text, nameEnd + 1);
  }
  return false;
}

/** Behind the string that begins at `at`. */
function endOfString(text: string, at: number): number {
  let end = text.indexOf('"', at + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === 92) backslashes++;
  return backslashes % 2 === 1;
}

/** Behind the value that begins at `at`: at the comma or the bracket that follows it. */
function endOfValue(text: string, at: number): number {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 34: // "
        i = endOfString(text, i) - 1;
        break;
      case 91: // [
      case 123: // {
        depth++;
        break;
      case 93: // ]
      case 125: // }
        if (depth === 0) return i;
        depth--;
        if (depth === 0) return i + 1;
        break;
      case 44: // ,
        if (depth === 0) return i;
        break;
    }
  }
  return text.length;
}
