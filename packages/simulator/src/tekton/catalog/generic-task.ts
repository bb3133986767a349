import type { ParamValue, Step, TaskSpec } from '@slipway/model/runs/tekton'
import type { TaskDefinition } from './definition'
import { testOutputOf, verdictOf } from './verdict'

/** A user-defined task. Its logs look like those of `sh -x`, which prints each line. */
export function genericTask({ description = '', params = [], results = [], steps = [] }: TaskSpec): TaskDefinition {
  return {
    description,
    params: Object.fromEntries(
      params.map(({ name, description: text = '', default: value }) => [name, { description: text, default: value }]),
    ),
    results: Object.fromEntries(results.map(({ name, description: text = '' }) => [name, text])),
    steps: steps.map((step, index) => ({
      // Tekton assigns names to steps without one, which its schema allows.
      name: step.name || `unnamed-${index}`,
      image: step.image,
      script: step.script ?? '',
      seconds: [5, 30],
      ...(step.onError === 'continue' && { onError: step.onError }),
      log: () => linesOf(step),
    })),
    resultsOf: (facts) =>
      Object.fromEntries(
        results.map((result) => [
          result.name,
          /TEST_OUTPUT$/.test(result.name)
            ? JSON.stringify(testOutputOf(facts, verdictOf(facts, {})))
            : inventedValue(result),
        ]),
      ),
  }
}

/** An invented value of the declared type, since scripts are not executed. */
export function inventedValue({ name, type, properties = {} }: NonNullable<TaskSpec['results']>[number]): ParamValue {
  if (type === 'array') return [`value 1 of ${name}`, `value 2 of ${name}`]
  if (type !== 'object') return `value of ${name}`
  return Object.fromEntries(Object.keys(properties).map((key) => [key, `value of ${name}.${key}`]))
}

function* linesOf({ script, command = [], args = [] }: Step): Iterable<string> {
  if (!script) {
    yield `+ ${[...command, ...args].join(' ')}`
    return
  }
  for (const line of script.split('\n')) {
    if (!line.trim() || line.startsWith('#')) continue
    yield `+ ${line}`
    const echoed = /^\s*echo\s+(?:-e\s+)?["']?(.*?)["']?\s*$/.exec(line)?.[1]
    if (echoed !== undefined) yield echoed
  }
}
