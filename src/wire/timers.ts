/** The timers of Node when this module was loaded: fake timers in tests of a caller, set later, do not stop these. */
export const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate } = globalThis;

/** For durations. */
export const hrtime = process.hrtime.bind(process);
