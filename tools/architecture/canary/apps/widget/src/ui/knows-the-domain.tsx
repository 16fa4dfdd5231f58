// breaks: ui-knows-no-domain, ui-libraries, ui-libraries-no-node, widget-no-node, declared-packages
import 'node:os';
import { now } from '@opencashier/core/time/clock';
import { create } from 'zustand';
export const X = () => <p>{String([now, create])}</p>;
