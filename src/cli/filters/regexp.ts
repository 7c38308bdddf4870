import { usage } from '../failures.js';

/** Whether something in a text fits. */
export type Fits = (text: string) => boolean;

/**
 * A regular expression, in RE2's syntax and by its rules: it takes time in proportion to the text, whatever the
 * expression, so no text of a stranger can keep it busy.
 * @throws Problem for an expression that is none
 */
export const regexp = async (expression: string, flag: string): Promise<Fits> => {
  const { RE2JS, RE2JSException } = await import('re2js');
  try {
    const compiled = RE2JS.compile(expression);
    return (text) => compiled.matcher(text).find();
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw usage(`${flag}: ${error.message}`, 'it takes RE2 syntax, without look-around');
  }
};
