/** The conversation is at the blocking limit: compact it by hand, or end it (AC3). */
export class ConversationFull extends Error {
  override readonly name = "ConversationFull";
  readonly tokens: number;
  readonly limit: number;

  constructor(text: string, tokens: number, limit: number) {
    super(text);
    this.tokens = tokens;
    this.limit = limit;
  }
}

/** Two requests of one conversation at the same time have no order. */
export class SessionBusy extends Error {
  override readonly name = "SessionBusy";

  constructor() {
    super("This session is sending or compacting: wait until that has ended.");
  }
}

/** Neither the table nor the caller knows the model. */
export class UnknownModel extends Error {
  override readonly name = "UnknownModel";
  readonly id: string;

  constructor(id: string) {
    super(`The model ${id} is not in the table, so its window is not known: give \`model\`, as \`models\` has them.`);
    this.id = id;
  }
}
