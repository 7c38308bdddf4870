import { yamlText } from '../../src/cli/terminal/output/yaml.js';
import type { Forest } from '../../src/cli/epics/plan.js';
import type { ServerOptions } from '../../src/server/index.js';
import type { World } from '../../src/server/world-file/schema.js';
import { top } from './forests.js';
import { testService, type TestService } from './service.js';

/** The iid of an epic of a forest. */
export const iidOf = (epic: number): number => epic + 1;
const idOf = (epic: number): number => 1000 + epic;
export const titleOf = (epic: number): string => epic < 0 ? `New ${-epic}` : epic === top ? 'Top' : `Epic ${epic}`;

/** A group `acme` with the epics of a forest: &1 is the top. */
export const worldOf = ({ parents, children }: Forest): World => {
  const inOrder = [...new Set([...children.keys(), ...[...children.values()].flat()])]
    .toSorted((a, b) => (children.get(parents.get(a) ?? NaN)?.indexOf(a) ?? -1) - (children.get(parents.get(b) ?? NaN)?.indexOf(b) ?? -1));
  return {
    users: [{ id: 1, username: 'root', admin: true, token: 'root-token' }],
    groups: [{ id: 10, path: 'acme', epics: inOrder.map((epic) => {
      const parent = parents.get(epic);
      return { id: idOf(epic), iid: iidOf(epic), title: titleOf(epic), ...(typeof parent === 'number' && { parent: idOf(parent) }) };
    }) }],
  };
};

export const serviceOf = (forest: Forest, options: ServerOptions = {}): Promise<TestService> =>
  testService({ world: worldOf(forest), ...options });

/** The document that describes the children of an epic completely. */
export const documentOf = (forest: Forest, epic: number = top): object[] => (forest.children.get(epic) ?? []).map((child) => ({
  ...(child < 0 ? { title: titleOf(child) } : { ref: `&${iidOf(child)}` }), children: documentOf(forest, child),
}));

export const yamlOf = (forest: Forest): string => yamlText(documentOf(forest));

interface Listed { readonly id: number; readonly iid: number; readonly title: string; readonly parent_id: number | null }

/** All links of the group as text: the titles below each title, in order. */
export const linksIn = async (service: TestService): Promise<string> => {
  const { body } = await service.get<Listed[]>('/groups/acme/epics?per_page=100', { as: 'root' });
  const parents = new Set(body.map(({ parent_id }) => parent_id));
  const lines = [];
  for (const { id, iid, title } of body.toSorted((a, b) => a.id - b.id)) {
    if (!parents.has(id)) continue;
    const { body: children } = await service.get<Listed[]>(`/groups/acme/epics/${iid}/epics?per_page=100`, { as: 'root' });
    lines.push(`${title}: ${children.map((child) => child.title).join(', ')}`);
  }
  return lines.toSorted().join('\n');
};

/** The same of a forest. */
export const linksOf = ({ children }: Forest): string => [...children].filter(([, list]) => list.length > 0)
  .map(([epic, list]) => `${titleOf(epic)}: ${list.map(titleOf).join(', ')}`).toSorted().join('\n');
