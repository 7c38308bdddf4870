import { gitAnswers } from '../../src/cli/terminal/io/git.js';

/** The program goes on without git after five seconds, which git takes on a busy machine for an answer of a few milliseconds. */
export const patientGit = gitAnswers(40_000);
