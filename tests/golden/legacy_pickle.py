"""torch.save in the format from before PyTorch 1.6. torch's own names storages by their addresses, different at every run."""
import io
import pickle

import torch
from torch.serialization import MAGIC_NUMBER, PROTOCOL_VERSION

SYSTEM = {"protocol_version": PROTOCOL_VERSION, "little_endian": True, "type_sizes": {"short": 2, "int": 4, "long": 4}}


def legacy_save(weights, path):
    storages = []

    class Pickler(pickle.Pickler):
        def persistent_id(self, value):
            if not isinstance(value, torch.storage.TypedStorage):
                return None
            storages.append(value)
            kind = getattr(torch, value._pickle_storage_type())
            return ("storage", kind, f"{len(storages):015d}", "cpu", value._size(), None)

    pickled = io.BytesIO()
    Pickler(pickled, protocol=2).dump(weights)
    with open(path, "wb") as file:
        for part in (MAGIC_NUMBER, PROTOCOL_VERSION, SYSTEM):
            pickle.dump(part, file, protocol=2)
        file.write(pickled.getvalue())
        pickle.dump([f"{i + 1:015d}" for i in range(len(storages))], file, protocol=2)
        for storage in storages:
            file.write(storage._size().to_bytes(8, "little") + bytes(storage._untyped_storage))
