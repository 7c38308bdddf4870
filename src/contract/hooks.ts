import * as Type from '@sinclair/typebox';
import { companion, list, project } from './builders.js';
import { optional, required } from './endpoint.js';
import { nullable, oneOf, Timestamp } from './shapes/scalars.js';

export const Hook = Type.Object({
  id: Type.Integer(), url: Type.String(), project_id: Type.Integer(), created_at: Timestamp,
  note_events: Type.Boolean(), confidential_note_events: Type.Boolean(), merge_requests_events: Type.Boolean(),
  issues_events: Type.Boolean(), confidential_issues_events: Type.Boolean(),
  enable_ssl_verification: Type.Boolean(),
  alert_status: Type.String(),
  disabled_until: nullable(Timestamp),
}, { $id: 'Hook', description: 'webhook of a project' });
export interface Hook extends Type.Static<typeof Hook> {}

const HookTest = Type.Object({ message: Type.String() }, { $id: 'HookTest', description: 'response to a test' });

const hook = { ...project, hook_id: required(Type.Integer(), 'id of the webhook') };

const settings = {
  token: optional(Type.String(), 'secret that each delivery has in the header X-Gitlab-Token'),
  note_events: optional(Type.Boolean(), 'whether new and edited notes are delivered; default false'),
  confidential_note_events: optional(Type.Boolean(),
    'whether notes on confidential issues are delivered; default: the value of note_events'),
  merge_requests_events: optional(Type.Boolean(), 'whether changes of merge requests are delivered; default false'),
  issues_events: optional(Type.Boolean(), 'whether changes of issues are delivered; default false'),
  confidential_issues_events: optional(Type.Boolean(),
    'whether changes of confidential issues are delivered; default: the value of issues_events'),
  enable_ssl_verification: optional(Type.Boolean(), 'whether the certificate of the address is checked; default true'),
};

export const HookTrigger = oneOf('note_events', 'merge_requests_events', 'issues_events');
export type HookTrigger = 'note_events' | 'merge_requests_events' | 'issues_events';

const all = '/projects/:id/hooks';
const one = `${all}/:hook_id`;

/** Bots live on them (behavior: hooks.rights). */
export const hooks = {
  list: list(all, 'list the webhooks of a project', project, Hook),
  get: companion('GET', one, 'get a webhook', hook, Hook),
  create: companion('POST', all, 'add a webhook to a project',
    { ...project, url: required(Type.String(), 'address that receives the deliveries'), ...settings }, Hook),
  modify: companion('PUT', one, 'modify a webhook',
    { ...hook, url: optional(Type.String(), 'address that receives the deliveries'), ...settings }, Hook),
  delete: companion('DELETE', one, 'delete a webhook', hook, null),
  test: companion('POST', `${one}/test/:trigger`,
    'deliver the newest note, merge request or issue of the project to a webhook', {
      ...hook,
      trigger: required(HookTrigger, 'what to deliver: note_events, merge_requests_events or issues_events'),
    }, HookTest),
};
