import type { PaymentMethod } from '@opencashier/contract/api';
import { methodOfTile } from '@opencashier/core/methods/shared-tile';
import type { TapAhead } from '../../kit/method/use-tap-ahead.ts';
import { isDesktop } from '../../kit/session/use-desktop.ts';
import { Tile } from '../../ui/lists/tile.tsx';
import { Badge } from '../../ui/marks/badge.tsx';
import { Marks } from '../../ui/marks/mark.tsx';
import { TileGrid } from '../../ui/page/page.tsx';
import type { GroupTile, MethodTile } from './list-view.ts';

const MAX_TILE_ICONS = 3;

interface MethodTilesProps {
  readonly tiles: readonly (MethodTile | GroupTile)[];
  readonly onMethod: (method: PaymentMethod) => void;
  readonly onGroup: (name: string) => void;
  /** Told when the pointer is over a tile, because a press is likely. */
  readonly near: TapAhead;
}

/** Tiles of methods and groups; a group shows at most three marks of what is inside (LIST-2). */
export function MethodTiles({ tiles, onMethod, onGroup, near }: MethodTilesProps) {
  return (
    <TileGrid isSingle={tiles.length === 1}>
      {tiles.map((tile) =>
        tile.kind === 'group' ? (
          <li key={`group-${tile.group.name}`}>
            <Tile
              opens={`group ${tile.group.name}`}
              title={tile.title}
              detail={tile.detail}
              marks={<Marks iconIds={tile.iconIds} most={tile.badge ? 2 : MAX_TILE_ICONS} />}
              badges={tile.badge && <Badge tone={tile.badge.tone}>{tile.badge.text}</Badge>}
              onOpen={() => onGroup(tile.group.name)}
              onNear={() => near.nearGroup(tile.group.name)}
            />
          </li>
        ) : (
          <li key={tile.methods[0].name} data-wallet={tile.wallet}>
            <Tile
              opens={`method ${tile.methods[0].name}`}
              title={tile.title}
              detail={tile.detail}
              banner={tile.banner}
              marks={<Marks iconIds={tile.iconIds} most={tile.badge ? 2 : MAX_TILE_ICONS} />}
              badges={tile.badge && <Badge tone={tile.badge.tone}>{tile.badge.text}</Badge>}
              isDisabled={tile.isDisabled}
              onOpen={() => onMethod(methodOfTile(tile.methods, isDesktop()))}
              onNear={() => near.nearMethod(methodOfTile(tile.methods, isDesktop()))}
              onAway={near.away}
            />
          </li>
        ),
      )}
    </TileGrid>
  );
}
