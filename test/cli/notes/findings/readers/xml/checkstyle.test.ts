import { describe, expect, it } from 'vitest';
import { readCheckstyle } from '../../../../../../src/cli/notes/findings/readers/xml.js';
import { brief, briefs, eslintFindings, readFixture } from '../../../../../support/reports.js';

const report = (error: string) => `<checkstyle><file name="src/a.js">\n${error}</file></checkstyle>`;

describe('Checkstyle XML', () => {
  it('is read as ESLint and ShellCheck write it', async () => {
    expect(await briefs('checkstyle', 'checkstyle.xml')).toEqual(eslintFindings('/builds/acme/app/src/send.js'));
    expect(await briefs('checkstyle', 'shellcheck.xml')).toEqual([
      'src/deploy.sh:2:1 warning SC2164', 'src/deploy.sh:2:4 note SC2086',
      'src/deploy.sh:3:7 warning SC2115', 'src/deploy.sh:3:7 note SC2086',
    ]);
    expect((await readFixture('checkstyle', 'shellcheck.xml')).findings[2]!.message)
      .toBe('Use "${var:?}" to ensure this never expands to /* .');
  });

  it('does not name its tool', () => {
    expect(readCheckstyle('<checkstyle/>')).toEqual({ tools: [], findings: [] });
  });

  it.each([
    ['eslint.rules.no-var', 'no-var'], ['com.puppycrawl.tools.checkstyle.checks.LineLengthCheck', 'LineLengthCheck'],
    ['eslint.rules.@typescript-eslint/no-explicit-any', '@typescript-eslint/no-explicit-any'], ['LineLength', 'LineLength'],
    ['org.scalastyle.file.HeaderMatchesChecker', 'HeaderMatchesChecker'], ['detekt.MagicNumber', 'MagicNumber'], ['ShellCheck.SC2086', 'SC2086'],
    ['com.puppycrawl.tools.checkstyle.Style/NumericLiterals', 'Style/NumericLiterals'], ['stylelint.rules.block-no-empty', 'block-no-empty'],
    ['PSR1.Files.SideEffects.FoundWithSymbols', 'PSR1.Files.SideEffects.FoundWithSymbols'], ['Internal.NoCodeFound', 'Internal.NoCodeFound'],
    ['Drupal.Commenting.DocComment', 'Drupal.Commenting.DocComment'], ['argument.type', 'argument.type'],
  ])('shortens the rule %s to %s', (source, rule) => {
    expect(readCheckstyle(report(`<error line="1" message="no" source="${source}"/>`)).findings).toMatchObject([{ rule }]);
  });

  it('has errors unless a severity is given, and no line or rule where none is', () => {
    expect(readCheckstyle(report('<error message="no"/><error line="0" severity="info" message="no"/>')).findings.map(brief))
      .toEqual(['src/a.js:null:null error null', 'src/a.js:null:null note null']);
  });

  it('has findings without a message, which are named after their rule', () => {
    expect(readCheckstyle(report('<error line="1" source="PSR1.Files"/>')).findings).toMatchObject([{ message: 'PSR1.Files' }]);
  });

  it('fails the run with the errors in no file, which PHPStan reports of itself', () => {
    expect(readCheckstyle('<checkstyle>\n<file><error severity="error" message="Child process error"/></file></checkstyle>'))
      .toEqual({ tools: [], findings: [], failures: [{ place: 'line 2', message: 'Child process error' }] });
  });

  it('skips elements that are no files and no errors', () => {
    expect(readCheckstyle('<checkstyle><note/><file name="a"><note/></file></checkstyle>').findings).toEqual([]);
  });

  it.each([
    ['<checkstyle>\n<file/></checkstyle>', 'expected the attribute name on <file>', 'line 2'],
    [report('<error line="1"/>'), 'expected the attribute message on <error>', 'line 2'],
    ['<testsuites/>', 'expected <checkstyle>, got <testsuites>', 'line 1'],
  ])('is rejected with the line of the mistake: %j', (source, message, place) => {
    expect(() => readCheckstyle(source)).toThrow(expect.objectContaining({ name: 'ReportError', message, place }) as Error);
  });
});
