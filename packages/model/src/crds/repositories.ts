import {
  boolean,
  booleans,
  defineCrd,
  integer,
  listOf,
  mapOf,
  object,
  oneOf,
  string,
  strings,
  tektonConditions,
  time,
} from './define-crd'

/** Outcome of recent runs. Pipelines as Code stores it next to the status, not in it. */
const runStatus = object({
  annotations: mapOf(string),
  conditions: tektonConditions,
  ...strings('event_type', 'logurl', 'pipelineRunName', 'sha', 'sha_url', 'target_branch', 'title'),
  failure_reason: mapOf(
    object({ ...strings('name', 'display_name', 'log_snippet', 'message', 'reason'), completion_time: time }, ['name']),
  ),
  observedGeneration: integer,
  startTime: time,
  completionTime: time,
})
const secret = object(strings('key', 'name'), ['name'])
const comments = { comment_strategy: oneOf('', 'disable_all', 'update') }
/** A role of the analysis of failed runs by a language model. */
const role = object(
  {
    ...strings('name', 'model', 'on_cel', 'prompt'),
    context_items: object({
      ...booleans('commit_content', 'error_content', 'pr_content'),
      container_logs: object({ enabled: boolean, max_lines: { ...integer, minimum: 1, maximum: 1000 } }, ['enabled']),
    }),
    output: { ...oneOf('pr-comment'), default: 'pr-comment' },
  },
  ['name', 'prompt'],
)
const analysis = object(
  {
    api_url: string,
    enabled: boolean,
    max_tokens: { ...integer, minimum: 1, maximum: 4000 },
    provider: oneOf('openai', 'gemini'),
    roles: { ...listOf(role), minItems: 1 },
    secret_ref: secret,
    timeout_seconds: { ...integer, minimum: 1, maximum: 300 },
  },
  ['enabled', 'provider', 'roles', 'secret_ref'],
)
const settings = object({
  ai: analysis,
  forgejo: object({ ...comments, user_agent: string }),
  github: object(comments),
  github_app_token_scope_repos: listOf(string),
  gitlab: object(comments),
  pipelinerun_provenance: oneOf('source', 'default_branch'),
  policy: object({ ok_to_test: listOf(string), pull_request: listOf(string) }),
})

const lastRun = '.pipelinerun_status[-1]'

export const repositories = defineCrd({
  group: 'pipelinesascode.tekton.dev',
  kind: 'Repository',
  plural: 'repositories',
  shortNames: ['repo'],
  required: ['metadata', 'spec'],
  versions: [
    {
      name: 'v1alpha1',
      spec: object({
        url: string,
        concurrency_limit: { ...integer, minimum: 1 },
        git_provider: object({
          type: oneOf('github', 'gitlab', 'bitbucket-datacenter', 'bitbucket-cloud', 'gitea', 'forgejo'),
          ...strings('url', 'user'),
          secret,
          webhook_secret: secret,
        }),
        incoming: listOf(
          object({ params: listOf(string), secret, targets: listOf(string), type: oneOf('webhook-url') }, [
            'secret',
            'type',
          ]),
        ),
        params: listOf(object({ ...strings('name', 'value', 'filter'), secret_ref: secret }, ['name'])),
        settings,
      }),
      properties: { pipelinerun_status: listOf(runStatus) },
      columns: [
        { name: 'URL', type: 'string', jsonPath: '.spec.url' },
        { name: 'Succeeded', type: 'string', jsonPath: `${lastRun}.conditions[?(@.type=="Succeeded")].status` },
        { name: 'Reason', type: 'string', jsonPath: `${lastRun}.conditions[?(@.type=="Succeeded")].reason` },
        { name: 'StartTime', type: 'date', jsonPath: `${lastRun}.startTime` },
        { name: 'CompletionTime', type: 'date', jsonPath: `${lastRun}.completionTime` },
      ],
    },
  ],
})
