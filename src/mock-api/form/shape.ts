/** Where a value has the wrong form. Paths are relative to the value that was checked, in the API's notation (`content.0.text`). */
export interface FormProblem {
  readonly path: string;
  readonly text: string;
}

/** A place that is only allowed under a condition that the form alone cannot decide. */
export interface Need {
  path: string;
  /** Beta headers, any of which allows it; an entry that ends in `-` allows every header that begins so. */
  readonly betas?: readonly string[];
  readonly capability?: "cacheEditing";
}

/** Checks the form of a value; the first problem is given. Conditions met on the way are added to `needs`. Nothing is built while all is well. */
export type Shape = (value: unknown, needs: Need[]) => FormProblem | undefined;

const here = (text: string): FormProblem => ({ path: "", text });

export const anything: Shape = () => undefined;
export const text: Shape = (value) => (typeof value === "string" ? undefined : here("Input should be a valid string"));
export const flag: Shape = (value) =>
  typeof value === "boolean" ? undefined : here("Input should be a valid boolean");
export const dictionary: Shape = (value) => (isObject(value) ? undefined : here("Input should be a valid dictionary"));

export function integer(low: number): Shape {
  return (value) => {
    if (typeof value !== "number" || !Number.isInteger(value)) return here("Input should be a valid integer");
    return value < low ? here(`Input should be greater than or equal to ${low}`) : undefined;
  };
}

export function numberWithin(low: number, high: number): Shape {
  return (value) => {
    if (typeof value !== "number" || !Number.isFinite(value)) return here("Input should be a valid number");
    if (value < low) return here(`Input should be greater than or equal to ${low}`);
    return value > high ? here(`Input should be less than or equal to ${high}`) : undefined;
  };
}

export function oneOf(...values: readonly string[]): Shape {
  const names = values.map((value) => `'${value}'`);
  const list = names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
  return (value) => (typeof value === "string" && values.includes(value) ? undefined : here(`Input should be ${list}`));
}

export function matching(pattern: RegExp, written: string, most: number): Shape {
  return (value) => {
    if (typeof value !== "string") return here("Input should be a valid string");
    if (value.length > most) return here(`String should have at most ${most} characters`);
    return pattern.test(value) ? undefined : here(`String should match pattern '${written}'`);
  };
}

export function orNull(shape: Shape): Shape {
  return (value, needs) => (value === null ? undefined : shape(value, needs));
}

export function textOr(shape: Shape): Shape {
  return (value, needs) => (typeof value === "string" ? undefined : shape(value, needs));
}

export function listOf(shape: Shape): Shape {
  return (value, needs) => {
    if (!Array.isArray(value)) return here("Input should be a valid list");
    for (let i = 0; i < value.length; i++) {
      const problem = within(String(i), shape, value[i], needs);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
}

/** A field of an object: required unless it says otherwise. */
export type Field = Shape | { readonly optional: Shape; readonly betas?: readonly string[] };

export function optional(shape: Shape, betas?: readonly string[]): Field {
  return betas === undefined ? { optional: shape } : { optional: shape, betas };
}

/** An object with these fields and no others. */
export function object(fields: Readonly<Record<string, Field>>): Shape {
  const table = new Map(Object.entries(fields));
  const required = [...table].filter(([, field]) => typeof field === "function").map(([name]) => name);
  return (value, needs) => {
    if (!isObject(value)) return here("Input should be a valid dictionary or object to extract fields from");
    for (const name of required) if (value[name] === undefined) return { path: name, text: "Field required" };
    for (const name in value) {
      const member = value[name];
      if (member === undefined) continue;
      const field = table.get(name);
      if (field === undefined) return { path: name, text: "Extra inputs are not permitted" };
      const shape = typeof field === "function" ? field : field.optional;
      const problem = within(name, shape, member, needs);
      if (problem !== undefined) return problem;
      if (typeof field !== "function" && field.betas !== undefined) needs.push({ path: name, betas: field.betas });
    }
    return undefined;
  };
}

/** One of several objects, told apart by `type`; the tag stands in the path, as it does in the API's messages. */
export function tagged(shapes: Readonly<Record<string, Shape>>, untagged?: string): Shape {
  const table = new Map(Object.entries(shapes));
  const tags = [...table.keys()].map((tag) => `'${tag}'`).join(", ");
  return (value, needs) => {
    if (!isObject(value)) return here("Input should be a valid dictionary or object to extract fields from");
    const tag = value.type ?? untagged;
    if (tag === undefined) return { path: "type", text: "Field required" };
    const shape = typeof tag === "string" ? table.get(tag) : undefined;
    if (shape === undefined)
      return here(`Input tag '${shown(tag)}' found using 'type' does not match any of the expected tags: ${tags}`);
    return within(tag as string, shape, value, needs);
  };
}

/** A shape that is only allowed with a beta header or on some models. */
export function needing(shape: Shape, need: Omit<Need, "path">): Shape {
  return (value, needs) => {
    needs.push({ path: "", ...need });
    return shape(value, needs);
  };
}

/** Checks `value` as the member `name` of something. */
export function within(name: string, shape: Shape, value: unknown, needs: Need[]): FormProblem | undefined {
  const before = needs.length;
  const problem = shape(value, needs);
  for (let i = before; i < needs.length; i++) (needs[i] as Need).path = join(name, (needs[i] as Need).path);
  return problem === undefined ? undefined : { path: join(name, problem.path), text: problem.text };
}

export function join(name: string, rest: string): string {
  return rest === "" ? name : `${name}.${rest}`;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shown(tag: unknown): string {
  return typeof tag === "string" ? tag.slice(0, 60) : typeof tag;
}
