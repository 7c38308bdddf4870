/**
 * The timers that Node had when this module was loaded. Fake timers in a caller's tests replace the global ones later,
 * and nothing here waits for somebody to advance them.
 */
export const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate } = globalThis;

/** The clock of Node for durations. */
export const hrtime = process.hrtime.bind(process);
