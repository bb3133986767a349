import { asArray, asRecord, asText } from '@slipway/kube/parse'

/** One step of a tour through the console. */
export interface TourStep {
  title: string
  text: string
  /** Path of the page that the step is about, with its query. */
  path: string
}

/** Parses the steps of a tour. Invalid ones count as absent. */
export const parseTour = (value: unknown): TourStep[] =>
  asArray(value).flatMap((each) => {
    const { title, text, path } = asRecord(each)
    const step = { title: asText(title), text: asText(text), path: asText(path) }
    return step.title && step.text && isPath(step.path) ? [step as TourStep] : []
  })

/** Two slashes, or a backslash in place of one, would lead to another host. */
const isPath = (path: string | undefined): boolean => path !== undefined && /^\/(?![/\\])/.test(path)
