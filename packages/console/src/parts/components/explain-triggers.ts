import { callWorker, workerAt } from '../../lib/worker-call'
import type { TriggerAnswer, TriggerRequest } from './trigger-answer'
import workerUrl from './trigger-worker?worker&url'

const patienceMs = 2_000

/** @throws Error if a condition takes too long to evaluate */
export async function explainTriggers(request: TriggerRequest, signal?: AbortSignal): Promise<TriggerAnswer> {
  const open = workerAt(workerUrl)
  if (open)
    return callWorker(open, request, {
      limitMs: patienceMs,
      tooLong: 'A condition takes too long to evaluate.',
      signal,
    })
  const { answerOf } = await import('./trigger-answer')
  return answerOf(request)
}
