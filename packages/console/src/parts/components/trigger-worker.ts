import { answerOf, type TriggerAnswer, type TriggerRequest } from './trigger-answer'

self.onmessage = ({ data }: MessageEvent<TriggerRequest>) => {
  self.postMessage(answerOf(data) satisfies TriggerAnswer)
}
self.postMessage(undefined)
