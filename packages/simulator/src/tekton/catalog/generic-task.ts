import type { Step, TaskSpec } from '@slipway/model/runs/tekton'
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
        results.map(({ name }) => [
          name,
          /TEST_OUTPUT$/.test(name) ? JSON.stringify(testOutputOf(facts, verdictOf(facts, {}))) : `value of ${name}`,
        ]),
      ),
  }
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
