import { Component, type ErrorInfo, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  readonly onError: (error: unknown, info: ErrorInfo) => void;
  readonly fallback: (error: unknown, reset: () => void) => ReactNode;
  readonly children: ReactNode;
}

/** Shows `fallback` when a screen throws while drawing; without it the whole page would be blank. */
export class ErrorBoundary extends Component<
  ErrorBoundaryProps,
  { readonly failed: { readonly error: unknown } | undefined }
> {
  override state: { readonly failed: { readonly error: unknown } | undefined } = { failed: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { failed: { error } };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    this.props.onError(error, info);
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return this.props.fallback(this.state.failed.error, () => this.setState({ failed: undefined }));
  }
}
