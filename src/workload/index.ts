export { type FactKind, factKinds, type ModelTrace } from "./trace.ts";
