/** Whether the first screen is being drawn as the server draws it: without anything that only a browser or the user tells. */
import { startTransition, useEffect, useState } from 'react';
import { type Services, useServices } from './services.tsx';

/** Widgets that have taken over the server's drawing. What they draw from then on is their own. */
const takenOver = new WeakSet<Services>();

/** True on the server, and while React takes over the server's drawing; then false. */
export function useIsDrawing(): boolean {
  const services = useServices();
  const [isDrawing, setIsDrawing] = useState(() => services.drawnFor !== undefined && !takenOver.has(services));
  useEffect(() => {
    startTransition(() => setIsDrawing(false));
  }, []);
  return isDrawing;
}

/** Call it when React has taken over the first screen. */
export function endDrawing(services: Services): void {
  takenOver.add(services);
}
