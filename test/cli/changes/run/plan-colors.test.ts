import { expect, it } from 'vitest';
import { appWithAppearance } from '../../../support/appearance.js';
import { epicApp } from '../../../support/epic-app.js';

const atTerminal = { terminal: true, colors: 1, answers: [true] } as const;
const [green, magenta, red, end] = ['\x1b[32m', '\x1b[35m', '\x1b[31m', '\x1b[39m'];

it('a plan of epics has the color of what happens to each', async () => {
  const app = await epicApp({ ...atTerminal, files: { 'plan.txt': '&8 Epic 8\n&6\n&4\n' } });
  const { err } = await app.run('epics', 'apply', '&1', 'plan.txt', '--prune');
  expect(err).toContain(`${green}  + &8 "Epic 8" (assigned)${end}\n`);
  expect(err).toContain(`${magenta}  ~ &4 "Epic 4" (reordered)${end}\n`);
  expect(err).toContain(`${red}  - &5 "Epic 5" (has no parent any more)${end}\n`);
});

it('a plan of the appearance has the color of what happens to each field, and to each line of a text', async () => {
  const app = await appWithAppearance(atTerminal);
  await app.run('appearance', 'set', '--title=Old', '--footer-message=Bye', '--new-project-guidelines=Old', '--description=# Hi', '--yes');
  app.files.set('a.yaml', 'title: "\\e[2JNew"\nheader_message: Hello\nnew_project_guidelines: New\nfooter_message: ""\ndescription: "# Hi\\nall"\n');
  const { err } = await app.run('appearance', 'apply', 'a.yaml');
  expect(err).toContain(`~ title:\n${red}    - Old${end}\n${green}    + \\u001b[2JNew${end}\n`);
  expect(err).toContain(`${magenta}~ new_project_guidelines: "Old" → "New"${end}\n`);
  expect(err).toContain(`${green}+ header_message: (empty) → "Hello"${end}\n`);
  expect(err).toContain(`${red}- footer_message: "Bye" → (empty)${end}\n`);
  expect(err).toContain(`~ description:\n      # Hi\n${green}    + all${end}\n`);
});
