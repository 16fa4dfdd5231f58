/** The widget's version, as the specification names it (§1), and the integer version of this protocol. */
export const widgetVersion = 'v1.0.477';
export const protocolVersion = 1;
