import { expect, it } from 'vitest';
import { inputs, toolList } from '../../../src/cli/agents/tools.js';

it('names that are alternatives are one list of words', () => {
  const [find] = toolList();
  expect(find!.inputSchema).toMatchObject({
    required: ['what'], properties: { what: { type: 'string', enum: ['threads', 'notes', 'lines', 'appearance', 'tree', 'inbox'] } },
  });
  expect(JSON.stringify(toolList())).not.toContain('anyOf');
});

it('every tool has the input that it is checked by', () => {
  expect(toolList().map(({ name }) => name)).toEqual(Object.keys(inputs));
  for (const { name, inputSchema } of toolList()) {
    const { properties } = inputSchema as { properties?: object };
    expect(Object.keys(properties ?? {})).toEqual(Object.keys(inputs[name].properties));
  }
});
