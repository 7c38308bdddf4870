/** The modules of the program that tests in memory import, as one bundle that is built like the program. */
export * from '../../src/cli/completion-cache.js';
export * from '../../src/cli/service/connection/client.js';
export * from '../../src/cli/command-line/failure.js';
export * from '../../src/cli/run.js';
export * from '../../src/cli/service/settings/profiles.js';
export * from '../../src/client/errors.js';
