import * as Type from '@sinclair/typebox';
import { endpoint, optional, required } from './endpoint.js';
import { pagingParams, project } from './paging.js';
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
const one = `${all}/:hook_id` as const;

/** Not in the documentation of notes; bots live on them (behavior: hooks.rights). */
export const hooks = {
  list: endpoint({
    method: 'GET', paths: [all], summary: 'list the webhooks of a project', companion: true,
    params: { ...project, ...pagingParams }, returns: Type.Array(Hook), status: 200, paged: true,
  }),
  get: endpoint({
    method: 'GET', paths: [one], summary: 'get a webhook', companion: true, params: hook, returns: Hook, status: 200,
  }),
  create: endpoint({
    method: 'POST', paths: [all], summary: 'add a webhook to a project', companion: true,
    params: { ...project, url: required(Type.String(), 'address that receives the deliveries'), ...settings },
    returns: Hook, status: 201,
  }),
  modify: endpoint({
    method: 'PUT', paths: [one], summary: 'modify a webhook', companion: true,
    params: { ...hook, url: optional(Type.String(), 'address that receives the deliveries'), ...settings },
    returns: Hook, status: 200,
  }),
  delete: endpoint({
    method: 'DELETE', paths: [one], summary: 'delete a webhook', companion: true, params: hook, returns: null,
    status: 204,
  }),
  test: endpoint({
    method: 'POST', paths: [`${one}/test/:trigger`], companion: true,
    summary: 'deliver the newest note, merge request or issue of the project to a webhook',
    params: {
      ...hook,
      trigger: required(HookTrigger, 'what to deliver: note_events, merge_requests_events or issues_events'),
    },
    returns: HookTest, status: 201,
  }),
};
