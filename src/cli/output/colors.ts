import type { Output } from '../app.js';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * How many colours an output may use. NO_COLOR counts when it is not empty; CLICOLOR_FORCE and FORCE_COLOR switch
 * colours on where no terminal is, CLICOLOR=0 and TERM=dumb switch them off.
 * @param depth bits of colour that the terminal says it has
 */
export const colorsOf = (env: Env, isTerminal: boolean, depth: number): Output['colors'] => {
  const { NO_COLOR, CLICOLOR, CLICOLOR_FORCE, FORCE_COLOR, TERM } = env;
  if (NO_COLOR) return 0;
  if (FORCE_COLOR !== undefined && /^[0-3]$|^$|^true$|^false$/.test(FORCE_COLOR)) return forced[FORCE_COLOR] ?? 1;
  const own = depth >= 24 ? 3 : depth >= 8 ? 2 : depth >= 4 ? 1 : 0;
  if (CLICOLOR_FORCE && CLICOLOR_FORCE !== '0') return own || 1;
  return isTerminal && TERM !== 'dumb' && CLICOLOR !== '0' ? own : 0;
};

/**
 * The environment for Node to count the colours of a terminal by. Node takes an empty NO_COLOR for a set one, and warns
 * where two switches meet; what they mean is settled above.
 */
export const withoutSwitches = (
  { NO_COLOR: _no, NODE_DISABLE_COLORS: _off, FORCE_COLOR: _force, ...rest }: Env,
): Env => rest;

const forced: Readonly<Record<string, Output['colors']>> = { 0: 0, false: 0, 1: 1, true: 1, '': 1, 2: 2, 3: 3 };
