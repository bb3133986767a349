/** An object as a list or a watch shows it, with what the collector knows about it. */
export interface Sighting {
  isDeleted: boolean
  isFinished: boolean
  /** Whether it matches the selector of its kind. An object that no longer does is reported as deleted. */
  isSelected: boolean
  hasLogs: boolean
  /** Whether a log of it is being followed, and may have more lines. */
  isFollowed: boolean
}

export type Effect =
  /** Follow its logs. */
  | 'follow'
  /** Wait for the last lines of its logs, then look at it again. */
  | 'finishLogs'
  /** Keep its state, which is archived if it disappears. */
  | 'remember'
  | 'forget'
  | 'archive'
  /** Archive its state if an earlier one is archived. */
  | 'update'

/** What to do about an object, in order. */
export function effectsOf(sighting: Sighting): Effect[] {
  const { isDeleted, isFinished, isSelected, hasLogs, isFollowed } = sighting
  if (hasLogs && isDeleted && isFollowed) return ['finishLogs']
  if (isDeleted && !isSelected) return ['forget']
  if (isDeleted || isFinished) return ['forget', 'archive']
  return [...(hasLogs ? ['follow' as const] : []), 'remember', 'update']
}
