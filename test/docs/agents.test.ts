import { describe, expect, it } from 'vitest';
import { inputs } from '../../src/cli/agents/tools.js';
import { blocksOf, page } from './blocks.js';

const text = page('docs/agents.md');
const wordsOf = (schema: object): string[] => ('const' in schema ? [String(schema.const)] : Object.values(schema)
  .flatMap((part: unknown) => typeof part === 'object' && part !== null ? wordsOf(part) : []));

describe('docs/agents.md', () => {
  it('names every tool with all that it can do', () => {
    for (const [tool, schema] of Object.entries(inputs)) {
      const row = new RegExp(`^\\| \`${tool}\` \\|.*$`, 'm').exec(text)?.[0] ?? '';
      expect(wordsOf(schema).length, tool).toBeGreaterThanOrEqual(tool === 'read' ? 0 : 2);
      expect(wordsOf(schema).filter((word) => !row.includes(`\`${word}\``)), tool).toEqual([]);
    }
  });

  it('has a configuration that starts the server', () => {
    const { mcpServers } = JSON.parse(blocksOf('docs/agents.md', 'json')[0]!) as { mcpServers: Record<string, object> };
    expect(mcpServers['colloquy']).toEqual({ command: 'colloquy', args: ['mcp', '-p', 'acme/app', '-g', 'acme'] });
  });
});

it('the skill has at most 100 lines, and says when to use it', () => {
  const skill = page('skills/colloquy/SKILL.md');
  expect(skill.trimEnd().split('\n').length).toBeLessThanOrEqual(100);
  expect(skill).toMatch(/^---\nname: colloquy\ndescription: >-\n(?: {2}.*\n)+---\n/);
});
