/** Something that can be done with what is shown. It is always listed; when it is disabled, it says why. */
export interface Action {
  label: string
  /** What it does, where the label leaves that open; menus show it below the label. */
  description?: string | undefined
  /** Why this cannot be done now; `false` or absent when it can. */
  disabledReason?: string | false
  /** What pressing it does while it is disabled: explains which right is missing. Absent if that is not why. */
  onExplain?: (() => void) | undefined
  onSelect: () => void
  isDanger?: boolean
  /** Changes something, as every `isDanger` action does: disabled while the cluster does not respond. */
  isWrite?: boolean
  /** Not among those that the specification names: menus list it after them, behind a separator. */
  isAddition?: boolean
  /** On the page of its object also a button next to the menu, where there is room. */
  isProminent?: boolean
}
