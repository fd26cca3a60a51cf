/** A valibot schema seen from outside: what its parts are. Only the kinds that `scenarioSchema` is made of. */
export interface SchemaNode {
  readonly type: string;
  readonly entries?: Readonly<Record<string, SchemaNode>>;
  readonly item?: SchemaNode;
  readonly value?: SchemaNode;
  readonly wrapped?: SchemaNode;
  readonly default?: unknown;
  readonly options?: readonly SchemaNode[] | readonly string[];
  readonly literal?: unknown;
  readonly pipe?: readonly { readonly type: string; readonly requirement?: unknown; readonly description?: string }[];
}

/** The schema inside `optional` and `nullable`. */
export function unwrapped(schema: SchemaNode): SchemaNode {
  return schema.wrapped === undefined ? schema : unwrapped(schema.wrapped);
}

/** The schema at a path of keys and indices; undefined where the path leaves what the schema names. */
export function schemaAt(root: SchemaNode, path: readonly unknown[]): SchemaNode | undefined {
  let schema: SchemaNode | undefined = root;
  for (const key of path) {
    if (schema === undefined) return undefined;
    const inner = unwrapped(schema);
    if (typeof key === "number") schema = inner.item;
    else schema = inner.entries?.[String(key)] ?? alternative(inner, String(key)) ?? inner.value;
  }
  return schema;
}

/** The keys that are allowed in the object at a path; of all alternatives where there are several. */
export function keysAt(root: SchemaNode, path: readonly unknown[]): string[] {
  const schema = schemaAt(root, path);
  if (schema === undefined) return [];
  const inner = unwrapped(schema);
  if (inner.entries !== undefined) return Object.keys(inner.entries);
  return [...new Set(alternatives(inner).flatMap((option) => Object.keys(option.entries ?? {})))];
}

function alternatives(schema: SchemaNode): SchemaNode[] {
  return (schema.options ?? []).filter((option): option is SchemaNode => typeof option === "object");
}

function alternative(schema: SchemaNode, key: string): SchemaNode | undefined {
  return alternatives(schema).find((option) => option.entries?.[key] !== undefined)?.entries?.[key];
}
