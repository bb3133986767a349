import type { MenuChoice } from '../../ui/actions/MenuPopup'
import { lineHash, type LineRange } from './log-link'
import type { LogTimes } from './log-preferences'

interface ViewOptions {
  times: LogTimes
  setTimes: (times: LogTimes) => void
  /** Logs from the results database have no timestamps. */
  hasTimes: boolean
  isWrapped: boolean
  setIsWrapped: (isWrapped: boolean) => void
  foldAll: () => void
  unfoldAll: () => void
  selected: LineRange | undefined
  /** What full screen shows; `null` before it is rendered. */
  root: HTMLElement | null
}

/** The choices of the log options menu. */
export function viewMenu(options: ViewOptions): MenuChoice[] {
  const { times, setTimes, hasTimes, isWrapped, selected, root } = options
  const time = (label: string, choice: LogTimes): MenuChoice => ({
    label,
    isSelected: times === choice,
    disabledReason: choice !== 'off' && !hasTimes && 'This log has no timestamps',
    onSelect: () => setTimes(choice),
  })
  return [
    { label: 'Wrap long lines', isSelected: isWrapped, onSelect: () => options.setIsWrapped(!isWrapped) },
    time('Hide timestamps', 'off'),
    time('Clock time', 'absolute'),
    time('Time since step start', 'relative'),
    { label: 'Collapse all', onSelect: options.foldAll },
    { label: 'Expand all', onSelect: options.unfoldAll },
    {
      label: 'Copy link to selected lines',
      disabledReason: !selected && 'Select a line number first',
      onSelect: () => {
        const { origin, pathname, search } = globalThis.location
        if (selected) void navigator.clipboard.writeText(origin + pathname + search + lineHash(selected))
      },
    },
    {
      label: document.fullscreenElement ? 'Exit full screen' : 'Full screen',
      onSelect: () => {
        // If the browser rejects this, nothing changes.
        const done = document.fullscreenElement ? document.exitFullscreen() : root?.requestFullscreen()
        done?.catch(() => undefined)
      },
    },
  ]
}
