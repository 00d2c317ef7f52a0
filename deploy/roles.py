"""Users and roles for a team's Milvus: editors may search, the nightly sync may write, nobody else anything.

    python deploy/roles.py https://milvus.example.org:19530 --collection abstracts --reader ada --reader ben --writer sync

The administrator's token (`root:…`) comes from TEXGEIST_ADMIN_TOKEN, the new users' passwords are asked for, or
come one a line from standard input in the order of the users. Run it again for further users. Needs pymilvus,
which comes with texgeist; Milvus 2.3 or newer.
"""

from __future__ import annotations

import argparse
import getpass
import os
import sys

from pymilvus import MilvusClient
from pymilvus.exceptions import MilvusException

READER, WRITER = "texgeist_reader", "texgeist_writer"
SEARCHING = ("Search", "Query", "Load", "GetLoadState", "GetLoadingProgress", "GetStatistics", "IndexDetail")
WRITING = ("Insert", "Upsert", "Delete", "Flush", "CreateIndex", "Release")
MAKING = ("CreateCollection", "DescribeCollection", "ShowCollections")  # of the server, not of one collection


def make_roles(client: MilvusClient, collection: str) -> None:
    """Both roles with their rights on one collection, which need not be there yet."""
    roles = set(client.list_roles())
    for role, rights in ((READER, SEARCHING), (WRITER, SEARCHING + WRITING)):
        if role not in roles:
            client.create_role(role)
        for right in rights:
            client.grant_privilege(role, "Collection", right, collection)
        client.grant_privilege(role, "Global", "DescribeCollection", "*")
    for right in MAKING:
        client.grant_privilege(WRITER, "Global", right, "*")


def make_user(client: MilvusClient, name: str, role: str, password: str) -> bool:
    """True for a new user; one who is there keeps the password and gets the role."""
    new = name not in client.list_users()
    if new:
        client.create_user(name, password)
    client.grant_role(name, role)
    return new


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("address")
    parser.add_argument("--collection", default="abstracts")
    parser.add_argument("--reader", action="append", default=[], metavar="USER")
    parser.add_argument("--writer", action="append", default=[], metavar="USER")
    given = parser.parse_args()
    token = os.environ.get("TEXGEIST_ADMIN_TOKEN", "")
    if not token:
        print("Set TEXGEIST_ADMIN_TOKEN to the administrator's user:password.", file=sys.stderr)
        return 2
    try:
        client = MilvusClient(given.address, token=token, timeout=10, dedicated=True)
        make_roles(client, given.collection)
        for role, names in ((READER, given.reader), (WRITER, given.writer)):
            for name in names:
                asked = sys.stdin.isatty()
                password = getpass.getpass(f"Password of {name}: ") if asked else sys.stdin.readline().strip()
                new = make_user(client, name, role, password)
                print(f"{name}: {role}" + ("" if new else ", with the password as it was"))
        client.close()
    except MilvusException as error:
        print(f"{given.address}: {error.message}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
