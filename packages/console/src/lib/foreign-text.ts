/**
 * Keeps texts true while something other than React changes them: a translation of the browser or of an extension puts
 * `<font>` elements in place of text nodes or around them. React goes on changing its own text nodes, which the user no
 * longer sees, and fails when it removes one that is not where it was. With this, a text that React changes comes back
 * in place of its translation, and a text that React removes takes its translation along. Returns a function that ends
 * it. Remove when React does so itself (facebook/react#11538).
 */
export function guardTexts(root: Node = document.body): () => void {
  /** Text nodes of React that were taken out, with the element in their place. */
  const replacements = new WeakMap<Node, Element>()

  const observer = new MutationObserver((records) => {
    for (const { type, target, addedNodes, removedNodes, previousSibling, nextSibling } of records) {
      if (type === 'characterData') restore(target)
      for (const removed of removedNodes) {
        if (!(removed instanceof Text) || removed.isConnected) continue
        const replacement = [...addedNodes, previousSibling, nextSibling].find(isForeign)
        if (!replacement) continue
        replacements.set(removed, replacement)
        observer.observe(removed, { characterData: true })
      }
    }
  })

  function restore(text: Node) {
    const replacement = replacements.get(text)
    replacements.delete(text)
    if (replacement?.parentNode && !text.parentNode) replacement.parentNode.replaceChild(text, replacement)
  }

  /** The child of `parent` that React means by `node`; `undefined` if there is none. */
  function childFor(parent: Node, node: Node): Node | undefined {
    if (node.parentNode === parent) return node
    for (let outer = node.parentNode; outer && isForeign(outer); outer = outer.parentNode) {
      if (outer.parentNode === parent) return outer
    }
    const replacement = replacements.get(node)
    return replacement?.parentNode === parent ? replacement : undefined
  }

  const prototype = Node.prototype
  const { removeChild, insertBefore } = prototype
  prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    const found = childFor(this, child)
    // A text that nothing stands for is gone already. Anything else is an error, as ever.
    if (found || !(child instanceof Text)) removeChild.call(this, found ?? child)
    return child
  }
  prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null): T {
    const found = before && childFor(this, before)
    insertBefore.call(this, node, before instanceof Text ? (found ?? null) : (found ?? before))
    return node
  }

  observer.observe(root, { childList: true, subtree: true })
  return () => {
    observer.disconnect()
    Object.assign(prototype, { removeChild, insertBefore })
  }
}

/** React renders no element of this kind. */
const isForeign = (node: Node | null): node is Element => node?.nodeName === 'FONT'
