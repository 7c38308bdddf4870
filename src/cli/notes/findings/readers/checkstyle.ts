import { findingOf, levelOf, type Report } from '../finding.js';
import { attribute, numberIn, rootNamed } from './xml.js';

/** Many tools write it, and it does not name them. @throws ReportError */
export const readCheckstyle = (source: string): Report => ({
  tools: [],
  findings: rootNamed(source, 'checkstyle').children.filter(({ name }) => name === 'file').flatMap((file) => {
    const path = attribute(file, 'name');
    return file.children.filter(({ name }) => name === 'error').map((error) => {
      const { line, column, severity, source: rule } = error.attributes;
      return findingOf({
        file: path, line: numberIn(line), column: numberIn(column), level: levelOf(severity ?? 'error'),
        rule: rule ? shortRule(rule) : null, message: attribute(error, 'message'),
      });
    });
  }),
});

/** `eslint.rules.no-var` → `no-var`, `com.puppycrawl.tools.checkstyle.checks.LineLengthCheck` → `LineLengthCheck`. */
const shortRule = (rule: string): string => /^[\w.]+\.([\w/@-]+)$/.exec(rule)?.[1] ?? rule;
