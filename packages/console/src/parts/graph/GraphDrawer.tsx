import {
  Drawer,
  DrawerActions,
  DrawerCloseButton,
  DrawerContent,
  DrawerContentBody,
  DrawerHead,
  DrawerPanelBody,
  DrawerPanelContent,
  Title,
} from '@patternfly/react-core'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { focusHeading } from '../../ui/page/focus-heading'
import { useMediaQuery } from '../../ui/page/media-query'
import { narrow } from './graph-url'
import './graph-drawer.css'

/** Specification 2, section 9. */
const panelWidthPx = 500

interface GraphDrawerProps {
  /** Id of the selected node; `undefined` for none. */
  selected: string | undefined
  onSelect: (id: string | undefined) => void
  /** Title of the panel. */
  title: string
  /** Next to the title, such as a status. */
  subtitle?: ReactNode
  panel: ReactNode
  /** Renders a graph, given the function that selects its nodes. */
  children: (select: (id: string) => void) => ReactNode
}

/**
 * A graph with a panel about the selected node: next to the graph, or over it on a narrow screen. The focus moves to
 * the panel when the user opens it, and back to the node when the user closes it.
 */
export function GraphDrawer({ selected, onSelect, title, subtitle, panel, children }: GraphDrawerProps) {
  const isNarrow = useMediaQuery(narrow)
  const frame = useRef<HTMLDivElement>(null)
  // A user who follows a link to a node starts at the top of the page.
  const [openedHere, setOpenedHere] = useState<string>()
  const select = (id: string) => {
    setOpenedHere(id)
    onSelect(id)
  }
  const close = () => {
    const nodes = frame.current?.querySelectorAll<HTMLElement>('[data-node]') ?? []
    const node = [...nodes].find(({ dataset }) => dataset.node === selected)
    // A long list may have been scrolled meanwhile, so that its row is no longer rendered.
    if (node) node.focus()
    else focusHeading()
    onSelect(undefined)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // Menus and dialogs opened from here are elsewhere on the page, and handle Escape themselves.
    const isHere = event.target instanceof Element && event.currentTarget.contains(event.target)
    if (event.key !== 'Escape' || selected === undefined || !isHere || event.defaultPrevented) return
    event.stopPropagation()
    close()
  }
  return (
    <div
      ref={frame}
      className="slipway-graph-drawer"
      data-open={selected !== undefined || undefined}
      onKeyDown={onKeyDown}
    >
      <Drawer isExpanded={selected !== undefined} isInline={!isNarrow}>
        <DrawerContent
          panelContent={
            selected !== undefined && (
              <DrawerPanelContent
                key={isNarrow ? 'narrow' : 'wide'}
                isResizable={!isNarrow}
                defaultSize={isNarrow ? '100%' : `${panelWidthPx}px`}
                minSize="300px"
                resizeAriaLabel="Resize the panel"
                role="region"
                aria-label={title}
              >
                <DrawerHead>
                  <Title
                    key={selected}
                    ref={selected === openedHere ? focusOn : undefined}
                    headingLevel="h2"
                    size="lg"
                    tabIndex={-1}
                    className="slipway-graph-drawer__title"
                  >
                    {title}
                  </Title>
                  {subtitle}
                  <DrawerActions>
                    <DrawerCloseButton aria-label="Close the panel" onClick={close} />
                  </DrawerActions>
                </DrawerHead>
                <DrawerPanelBody className="slipway-graph-drawer__body">{panel}</DrawerPanelBody>
              </DrawerPanelContent>
            )
          }
        >
          <DrawerContentBody>{children(select)}</DrawerContentBody>
        </DrawerContent>
      </Drawer>
    </div>
  )
}

function focusOn(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true })
  // Not available in every environment.
  element?.scrollIntoView?.({ block: 'nearest' })
}
