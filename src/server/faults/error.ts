/** The state of the service was replaced while a fault was waiting. */
export class FaultStopped extends Error { override readonly name = 'FaultStopped'; }

/** A fault rule that cannot be used. The message names the rule and the part of it. */
export class FaultError extends Error {
  override readonly name = 'FaultError';
  constructor(
    message: string,
    /** The allowed forms. */
    readonly hint: string,
  ) { super(message); }
}

/** Shortened, for messages. */
export const shownValue = (value: unknown): string => {
  if (Number.isNaN(value)) return 'that is not a number';
  const json = JSON.stringify(value);
  return json.length > longestShown ? `${json.slice(0, longestShown)}…` : json;
};

const longestShown = 200;
